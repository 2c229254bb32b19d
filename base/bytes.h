/*
 * Integers in byte arrays: little-endian as in ADB messages, and big-endian as
 * in most Internet protocols.
 */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdint.h>

static inline void put_u32le(uint8_t *bytes, uint32_t value)
{
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
    bytes[2] = (uint8_t)(value >> 16);
    bytes[3] = (uint8_t)(value >> 24);
}

static inline void put_u64le(uint8_t *bytes, uint64_t value)
{
    put_u32le(bytes, (uint32_t)value);
    put_u32le(bytes + 4, (uint32_t)(value >> 32));
}

static inline void put_u16be(uint8_t *bytes, uint16_t value)
{
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

static inline void put_u32be(uint8_t *bytes, uint32_t value)
{
    put_u16be(bytes, (uint16_t)(value >> 16));
    put_u16be(bytes + 2, (uint16_t)value);
}

static inline void put_u64be(uint8_t *bytes, uint64_t value)
{
    put_u32be(bytes, (uint32_t)(value >> 32));
    put_u32be(bytes + 4, (uint32_t)value);
}

static inline uint32_t get_u32le(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
           (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline uint64_t get_u64le(const uint8_t *bytes)
{
    return (uint64_t)get_u32le(bytes) | (uint64_t)get_u32le(bytes + 4) << 32;
}

static inline uint16_t get_u16be(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static inline uint32_t get_u32be(const uint8_t *bytes)
{
    return (uint32_t)get_u16be(bytes) << 16 | get_u16be(bytes + 2);
}

static inline uint64_t get_u64be(const uint8_t *bytes)
{
    return (uint64_t)get_u32be(bytes) << 32 | get_u32be(bytes + 4);
}

#endif
