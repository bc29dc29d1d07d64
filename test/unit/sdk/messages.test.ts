import { expect, test } from 'vitest'
import { type SseMessage, parseSse } from '../../../sdk/src/events/sse-parser.ts'

async function* pieces(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
}

async function messagesOf(text: string, length: number): Promise<SseMessage[]> {
  const messages: SseMessage[] = []
  for await (const message of parseSse(pieces(text, length))) messages.push(message)
  return messages
}

const lines = [
  ':',
  '',
  'id: evt_1',
  '',
  'event: next',
  'id: evt_2',
  'data: {"a":',
  'data:1}',
  'retry: 5',
  '',
  '',
  'event:complete',
  'data',
  '',
  'data: cut off',
]

const none = { event: 'message', data: null, id: null }

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])('messages with %s line ends are parsed in chunks of any length', async (_, end) => {
  for (let length = 1; length < 40; length++)
    expect(await messagesOf(lines.join(end), length)).toEqual([
      none,
      { ...none, id: 'evt_1' },
      { event: 'next', data: '{"a":\n1}', id: 'evt_2' },
      { event: 'complete', data: '', id: null },
    ])
})
