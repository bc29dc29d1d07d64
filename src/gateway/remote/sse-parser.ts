/** One message of a `text/event-stream`. */
export interface SseMessage {
  readonly event: string
  /** Null where the message names none. */
  readonly id: string | null
  readonly data: string
}

/** The messages of a stream, one at a time as they are asked for. It fails where nothing at all is heard for too long. */
export async function* parseSse(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<SseMessage> {
  const decoder = new TextDecoder()
  let unread = ''
  for await (const chunk of chunksOf(body, silenceMs)) {
    unread += decoder.decode(chunk, { stream: true }).replaceAll('\r', '')
    const blocks = unread.split('\n\n')
    unread = blocks.pop() ?? ''
    for (const block of blocks) yield messageIn(block)
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array>, silenceMs: number): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  let timer: NodeJS.Timeout | undefined
  const silence = () =>
    new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('nothing is heard of the stream')), silenceMs).unref()
    })
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), silence()])
      clearTimeout(timer)
      if (done) return
      yield value
    }
  } finally {
    clearTimeout(timer)
    await reader.cancel().catch(() => undefined)
  }
}

function messageIn(block: string): SseMessage {
  const lines = block.split('\n').map((line): [string, string] => {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    return [name, value]
  })
  const last = (name: string) => lines.findLast(([known]) => known === name)?.[1]
  const data = lines.filter(([name]) => name === 'data').map(([, value]) => value)
  return { event: last('event') ?? 'message', id: last('id') ?? null, data: data.join('\n') }
}
