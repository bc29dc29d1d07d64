const WIDTH = 64
const HEIGHT = 48
const FRAMES = 10
const FRAMES_PER_SECOND = 5
/** A pixel has three bytes: blue, green, red. The length of a row is a multiple of four, as AVI requires. */
const FRAME_BYTES = WIDTH * HEIGHT * 3
/** Flag of the main header: the file has an index. */
const HAS_INDEX = 0x10
/** Flag of an index entry: the frame does not depend on other frames. */
const KEY_FRAME = 0x10
const MICROSECONDS_PER_FRAME = 1_000_000 / FRAMES_PER_SECOND

/** Creates a short uncompressed video (RIFF AVI): a light that moves over a background color. */
export function createClip(color: number): Buffer {
  const frames = Array.from({ length: FRAMES }, (_, i) => chunk('00db', frame(color, i)))
  const index = Buffer.concat(
    frames.map((_, i) =>
      Buffer.concat([ascii('00db'), uint32s(KEY_FRAME, 4 + i * (FRAME_BYTES + 8), FRAME_BYTES)]),
    ),
  )
  const body = [list('hdrl', header()), list('movi', Buffer.concat(frames)), chunk('idx1', index)]
  return chunk('RIFF', Buffer.concat([ascii('AVI '), ...body]))
}

function header(): Buffer {
  const bytesPerSecond = FRAME_BYTES * FRAMES_PER_SECOND
  const main = uint32s(
    MICROSECONDS_PER_FRAME,
    bytesPerSecond,
    0,
    HAS_INDEX,
    FRAMES,
    0,
    1,
    FRAME_BYTES,
    WIDTH,
    HEIGHT,
    0,
    0,
    0,
    0,
  )
  const stream = Buffer.concat([
    ascii('vidsDIB '),
    uint32s(0, 0, 0, 1, FRAMES_PER_SECOND, 0, FRAMES, FRAME_BYTES, 0, 0),
    Buffer.from(Uint16Array.of(0, 0, WIDTH, HEIGHT).buffer),
  ])
  // 40 is the length of this structure. The picture has one plane of 24 bits.
  const format = uint32s(40, WIDTH, HEIGHT, 1 | (24 << 16), 0, FRAME_BYTES, 0, 0, 0, 0)
  return Buffer.concat([
    chunk('avih', main),
    list('strl', Buffer.concat([chunk('strh', stream), chunk('strf', format)])),
  ])
}

function frame(color: number, index: number): Buffer {
  const pixels = Buffer.alloc(FRAME_BYTES)
  const lightColumn = Math.floor(((index + 0.5) / FRAMES) * WIDTH)
  for (let offset = 0; offset < FRAME_BYTES; offset++) {
    const shade = (color >> (8 * (offset % 3))) & 0xff
    const glow = Math.max(0, 12 - Math.abs((Math.floor(offset / 3) % WIDTH) - lightColumn))
    pixels[offset] = Math.min(255, (shade >> 1) + glow * 14)
  }
  return pixels
}

const ascii = (letters: string) => Buffer.from(letters, 'ascii')

function uint32s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value, 4 * i)
  return bytes
}

function chunk(name: string, body: Buffer): Buffer {
  return Buffer.concat([ascii(name), uint32s(body.length), body])
}

function list(name: string, body: Buffer): Buffer {
  return chunk('LIST', Buffer.concat([ascii(name), body]))
}
