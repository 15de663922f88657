# Untested. The library; `fit` is a feature, because it needs cminpack.
vcpkg_from_git(
  OUT_SOURCE_PATH SOURCE_PATH
  URL "${CAROM_URL}" # the repository
  REF "v${VERSION}")
vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES fit CAROM_BUILD_FIT)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -DCAROM_BUILD_PROGRAM=OFF ${features})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME carom CONFIG_PATH lib/cmake/carom)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
