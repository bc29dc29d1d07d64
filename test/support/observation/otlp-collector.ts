import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
  /** Role of the process that sent the span. */
  readonly role: string
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: CollectedSpan['attributes'] }
    readonly scopeSpans: readonly { readonly spans: readonly Omit<CollectedSpan, 'role'>[] }[]
  }[]
}

/** A trace collector: OTLP over HTTP in JSON. */
export class Collector implements AsyncDisposable {
  readonly spans: CollectedSpan[] = []

  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async start(): Promise<Collector> {
    const server = createServer((request, response) => {
      void collector.take(request).then((status) => response.writeHead(status).end('{}'))
    })
    const collector = new Collector(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return collector
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** Returns the spans of a trace in tree order, with their depth. */
  tree(
    traceId: string,
    parent?: string,
    depth = 0,
  ): { readonly depth: number; readonly span: CollectedSpan }[] {
    return this.spans
      .filter((span) => span.traceId === traceId && (span.parentSpanId || undefined) === parent)
      .flatMap((span) => [{ depth, span }, ...this.tree(traceId, span.spanId, depth + 1)])
  }

  /** Returns the names from a span up to its root. */
  pathOf(span: CollectedSpan): string[] {
    const parent = this.spans.find(({ spanId }) => spanId === span.parentSpanId)
    return [span.name, ...(parent ? this.pathOf(parent) : [])]
  }

  private async take(request: IncomingMessage): Promise<number> {
    if (request.url !== '/v1/traces') return 404
    const { resourceSpans } = JSON.parse(await text(request)) as Export
    for (const { resource, scopeSpans } of resourceSpans) {
      const role = String(
        resource.attributes.find(({ key }) => key === 'odograph.role')?.value['stringValue'],
      )
      this.spans.push(...scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, role }))))
    }
    return 200
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
