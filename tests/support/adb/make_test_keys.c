/*
 * make_test_keys FILE...: writes a key into each. Run by the build; it uses
 * OpenSSL alone, because our libraries may be built for a tool that is not
 * available yet.
 */
#include <stdio.h>
#include <stdlib.h>

#include <openssl/pem.h>
#include <openssl/rsa.h>

static int write_key(const char *path)
{
    EVP_PKEY *key = EVP_RSA_gen(2048);
    FILE *file = fopen(path, "w");
    int done = key && file &&
               PEM_write_PKCS8PrivateKey(file, key, NULL, NULL, 0, NULL, NULL);

    if (file && fclose(file))
        done = 0;
    EVP_PKEY_free(key);
    return done;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!write_key(argv[i])) {
            fprintf(stderr, "make_test_keys: writing %s failed\n", argv[i]);
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
