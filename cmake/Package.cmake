# What is installed beside the programs, and the Debian package.

# Everything that cmake --install and cpack need, without the tests.
add_custom_target(proctor_package
    DEPENDS proctor proctor-all proctor-phone proctor-supervisor proctor-stf-releaser
            proctor-adb proctor-adb-program proctor_generated)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

install(FILES README.md CHANGELOG.md LICENSE
    DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs
    DESTINATION ${CMAKE_INSTALL_DOCDIR}
    FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg"
                   PATTERN "*.yaml" PATTERN "Containerfile")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_VENDOR proctor)
set(CPACK_PACKAGE_CONTACT "proctor developers <proctor@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# The libraries are found by dpkg-shlibdeps. Fonts: what the built-in phone
# draws its screen with. The rest improves descriptions of pictures.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "fonts-roboto-unhinted, fonts-droid-fallback, fonts-noto-color-emoji")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "tesseract-ocr, \
tesseract-ocr-eng, tesseract-ocr-chi-sim, \
fonts-material-design-icons-iconfont, fonts-materialdesignicons-webfont")
include(CPack)
