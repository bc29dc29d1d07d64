import type { Behaviour } from '../../support/outbound-http/raw-receiver.ts'

const LURED = 8

export const description =
  (text: string): Behaviour =>
  (socket) =>
    socket.write(text)

/** Sends a byte a second until the connection closes. */
export const drips =
  (start: string, hang: Behaviour): Behaviour =>
  (socket, request) => {
    hang(socket, request)
    socket.write(start)
    const timer = setInterval(() => socket.write('y'), 1000)
    socket.once('close', () => clearInterval(timer))
  }

export const floods: Behaviour = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n')
  const piece = Buffer.alloc(65_536, 'x')
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', more)
  more()
}

/** Responds to a few requests, so that concurrency grows, and then hangs. */
export function lures(hang: Behaviour): Behaviour {
  let left = LURED
  return (socket, request) => {
    if (left-- > 0) socket.write('HTTP/1.1 204 No Content\r\n\r\n')
    else hang(socket, request)
  }
}

export const redirects = (status: number, port: number, host: string): Behaviour =>
  description(`HTTP/1.1 ${status} Moved\r\nlocation: http://${host}:${port}/\r\ncontent-length: 0\r\n\r\n`)
