/**
 * Codec for lines of grid points as ASCII text. The format is Google's encoded polyline format, with grid
 * coordinates instead of degrees: each number is the difference from the previous one.
 */

export type GridPoint = readonly [x: number, y: number]

export function encodeLine(points: readonly GridPoint[]): string {
  let text = ''
  let [lastX, lastY] = [0, 0]
  for (const [x, y] of points) {
    text += encodeNumber(x - lastX) + encodeNumber(y - lastY)
    ;[lastX, lastY] = [x, y]
  }
  return text
}

export function decodeLine(text: string): GridPoint[] {
  const points: GridPoint[] = []
  const numbers = numbersOf(text)
  let [x, y] = [0, 0]
  for (let index = 0; index < numbers.length; index += 2) {
    x += numbers[index] as number
    y += numbers[index + 1] as number
    points.push([x, y])
  }
  return points
}

/** Encodes a number with five bits per character, lowest bits first. The lowest bit of all is the sign. */
function encodeNumber(value: number): string {
  let remaining = value < 0 ? ~(value << 1) : value << 1
  let text = ''
  for (; remaining >= 32; remaining >>= 5) text += String.fromCharCode(63 + (32 | (remaining & 31)))
  return text + String.fromCharCode(63 + remaining)
}

function numbersOf(text: string): number[] {
  const numbers: number[] = []
  let [value, shift] = [0, 0]
  for (let index = 0; index < text.length; index++) {
    const bits = text.charCodeAt(index) - 63
    value |= (bits & 31) << shift
    shift += 5
    if (bits >= 32) continue
    numbers.push(value & 1 ? ~(value >> 1) : value >> 1)
    ;[value, shift] = [0, 0]
  }
  return numbers
}
