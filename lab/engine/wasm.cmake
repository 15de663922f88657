# Toolchain: clang for WebAssembly with Debian's wasi-libc (packages clang, lld, wasi-libc,
# libclang-rt-VERSION-dev-wasm32). With another sysroot: -DCMAKE_SYSROOT=...
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
# The engine has no main().
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
