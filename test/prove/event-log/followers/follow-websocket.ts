import { once } from 'node:events'
import { WebSocket } from 'ws'
import { type Follow, noteAnswer, SUBSCRIPTION } from './following.ts'

interface Message {
  readonly type: string
  readonly payload?: object
}

/** A minimal graphql-transport-ws client that writes to the notebook. */
export const followWebsocket: Follow = async ({ url, secretKey, after }, receiptFile, cut) => {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws')
  cut.addEventListener('abort', () => socket.terminate())
  const say = (message: object) => socket.send(JSON.stringify(message))
  socket.on('open', () => say({ type: 'connection_init', payload: { authorization: `Bearer ${secretKey}` } }))
  socket.on('error', () => undefined)
  const failed = new Promise<never>((_, reject) => {
    socket.on('message', (data: Buffer) => {
      const { type, payload = {} } = JSON.parse(data.toString()) as Message
      if (type === 'connection_ack')
        say({ id: '1', type: 'subscribe', payload: { query: SUBSCRIPTION, variables: { after } } })
      else if (type === 'ping') say({ type: 'pong' })
      else if (type === 'next' && !cut.aborted) noteAnswerOr(reject, payload)
      else if (type === 'error' || type === 'complete') reject(new Error(`websocket: ${data.toString()}`))
    })
  })
  const noteAnswerOr = (reject: (error: unknown) => void, payload: object) => {
    try {
      noteAnswer(receiptFile, payload)
    } catch (error) {
      reject(error)
    }
  }
  await Promise.race([once(socket, 'close'), failed])
}
