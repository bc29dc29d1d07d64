/** Message of a `text/event-stream`. */
export interface SseMessage {
  readonly event: string
  /** Null if the message has no id. */
  readonly id: string | null
  readonly data: string
}

/** Parses a stream message by message, as the consumer asks for them. Throws if no data arrives for `silenceMs`. */
export async function* parseSse(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<SseMessage> {
  const decoder = new TextDecoder()
  let buffer = ''
  for await (const chunk of chunksOf(body, silenceMs)) {
    buffer += decoder.decode(chunk, { stream: true }).replaceAll('\r', '')
    const blocks = buffer.split('\n\n')
    buffer = blocks.pop() ?? ''
    for (const block of blocks) yield messageIn(block)
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array>, silenceMs: number): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  let timer: NodeJS.Timeout | undefined
  const silence = () =>
    new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error('the stream sent no data before the timeout')),
        silenceMs,
      ).unref()
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
  const lastOf = (name: string) => lines.findLast(([field]) => field === name)?.[1]
  const data = lines.filter(([name]) => name === 'data').map(([, value]) => value)
  return { event: lastOf('event') ?? 'message', id: lastOf('id') ?? null, data: data.join('\n') }
}
