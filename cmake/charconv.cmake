# CAROM_HAS_CHARCONV: there is a C++17 compiler whose <charconv> knows doubles (cmake/tables.cmake).
include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -std=c++17)
  check_cxx_source_compiles("
#include <charconv>
int main() {
  char text[32];
  double number;
  return std::to_chars(text, text + 32, 0.5).ptr == std::from_chars(text, text + 3, number).ptr;
}" CAROM_HAS_CHARCONV)
  unset(CMAKE_REQUIRED_FLAGS)
endif()
