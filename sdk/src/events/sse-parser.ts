/** Message of `text/event-stream`. A keep-alive message has neither data nor an id. */
export interface SseMessage {
  readonly event: string
  readonly data: string | null
  readonly id: string | null
}

/** Yields the complete messages of a stream. A truncated message at the end is dropped. */
export async function* parseSse(texts: AsyncIterable<string>): AsyncGenerator<SseMessage, void, undefined> {
  let lines: string[] = []
  for await (const line of linesIn(texts)) {
    if (line !== '') lines.push(line)
    else if (lines.length > 0) {
      yield messageOf(lines)
      lines = []
    }
  }
}

async function* linesIn(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let rest = ''
  for await (const text of texts) {
    // A CR at the end may be the first half of a CRLF.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    yield* lines
  }
}

function messageOf(lines: readonly string[]): SseMessage {
  const fields = lines.map(fieldOf)
  const valuesOf = (name: string) => fields.flatMap(([field, value]) => (field === name ? [value] : []))
  const data = valuesOf('data')
  return {
    event: valuesOf('event').at(-1) ?? 'message',
    data: data.length > 0 ? data.join('\n') : null,
    id: valuesOf('id').at(-1) ?? null,
  }
}

/** Splits `name: value`. A comment has an empty name. */
function fieldOf(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(':')
  if (colon < 0) return [line, '']
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
}
