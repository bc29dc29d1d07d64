import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { type Follow, noteAnswer, SUBSCRIPTION } from './following.ts'

/** Reads GraphQL over SSE as an `EventSource` does: it resumes at the last received id. */
export const followSse: Follow = async ({ url, secretKey, after }, receiptFile, cut) => {
  const asking = request(`${url}/graphql`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${secretKey}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
      'last-event-id': after,
    },
  })
  cut.addEventListener('abort', () => asking.destroy())
  asking.on('error', () => undefined)
  asking.end(JSON.stringify({ query: SUBSCRIPTION }))
  const answer = await Promise.race([
    once(asking, 'response').then(([response]) => response as IncomingMessage),
    once(asking, 'close').then(() => null),
  ]).catch(() => null)
  if (!answer) return
  if (answer.statusCode !== 200) throw new Error(`SSE responded with ${answer.statusCode}`)
  answer.setEncoding('utf8')
  let rest = ''
  try {
    for await (const text of answer) {
      const messages = (rest + String(text)).split('\n\n')
      rest = messages.pop() ?? ''
      for (const message of messages) if (!cut.aborted) read(message)
    }
  } catch (error) {
    if (!isBroken(error)) throw error
  }

  function read(message: string): void {
    if (message.startsWith('event: complete')) throw new Error('SSE: the stream was completed')
    // The server requests a resume; the reader resumes after every end.
    if (message.includes('slow consumer: resume')) return
    const data = /^data: (.+)$/m.exec(message)?.[1]
    if (message.startsWith('event: next') && data) noteAnswer(receiptFile, JSON.parse(data) as object)
  }
}

const isBroken = (error: unknown): boolean =>
  ['ECONNRESET', 'ABORT_ERR', 'ERR_STREAM_PREMATURE_CLOSE'].includes((error as { code?: string }).code ?? '')
