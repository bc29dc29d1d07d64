const WIDTH = 64
const HEIGHT = 48
const FRAMES = 10
const FRAMES_PER_SECOND = 5
/** Blue, green, red for each pixel; a row's length is a multiple of four, as the format asks. */
const FRAME_BYTES = WIDTH * HEIGHT * 3
const MICROSECONDS_PER_FRAME = 1_000_000 / FRAMES_PER_SECOND

/** A short uncompressed film (RIFF AVI): a light that moves over a ground of that colour. */
export function film(color: number): Buffer {
  const frames = Array.from({ length: FRAMES }, (_, i) => chunk('00db', frame(color, i)))
  const index = Buffer.concat(
    frames.map((_, i) => Buffer.concat([text('00db'), words(0x10, 4 + i * (FRAME_BYTES + 8), FRAME_BYTES)])),
  )
  const body = [list('hdrl', header()), list('movi', Buffer.concat(frames)), chunk('idx1', index)]
  return chunk('RIFF', Buffer.concat([text('AVI '), ...body]))
}

function header(): Buffer {
  const rate = FRAME_BYTES * FRAMES_PER_SECOND
  const main = words(
    MICROSECONDS_PER_FRAME,
    rate,
    0,
    0x10,
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
    text('vidsDIB '),
    words(0, 0, 0, 1, FRAMES_PER_SECOND, 0, FRAMES, FRAME_BYTES, 0, 0),
    Buffer.from(Uint16Array.of(0, 0, WIDTH, HEIGHT).buffer),
  ])
  // One plane of 24 bits.
  const format = words(40, WIDTH, HEIGHT, 1 | (24 << 16), 0, FRAME_BYTES, 0, 0, 0, 0)
  return Buffer.concat([
    chunk('avih', main),
    list('strl', Buffer.concat([chunk('strh', stream), chunk('strf', format)])),
  ])
}

function frame(color: number, number: number): Buffer {
  const pixels = Buffer.alloc(FRAME_BYTES)
  const light = Math.floor(((number + 0.5) / FRAMES) * WIDTH)
  for (let at = 0; at < FRAME_BYTES; at++) {
    const shade = (color >> (8 * (at % 3))) & 0xff
    const near = Math.max(0, 12 - Math.abs((Math.floor(at / 3) % WIDTH) - light))
    pixels[at] = Math.min(255, (shade >> 1) + near * 14)
  }
  return pixels
}

const text = (letters: string) => Buffer.from(letters, 'ascii')

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value, 4 * i)
  return bytes
}

function chunk(name: string, body: Buffer): Buffer {
  return Buffer.concat([text(name), words(body.length), body])
}

function list(name: string, body: Buffer): Buffer {
  return chunk('LIST', Buffer.concat([text(name), body]))
}
