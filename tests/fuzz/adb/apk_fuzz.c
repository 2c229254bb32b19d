/* The central directory of an archive: found and read within its bytes. */
#include "adb/install/apk.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct apk_directory directory;
    struct err err;

    if (size > APK_TAIL_MAX ||
        !apk_find_directory(data, size, size, &directory, &err))
        return 0;
    fuzz_expect(directory.offset + directory.size <= size);
    apk_has_manifest(data + directory.offset, directory.size);
    return 0;
}
