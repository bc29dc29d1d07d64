import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { ContextFor } from '../../../src/gateway/context.ts'
import type { ApiClient } from '../factories.ts'
import { ask, documentOf, supergraph } from '../graph/graph-harness.ts'

const executor = createInProcessExecutor(supergraph)
const PAGE = 40

/** A listed record: its ids, its metadata, and the selected value. */
export interface MirroredRecord {
  readonly id: string
  readonly sourceId: string
  readonly metadata: { readonly modifiedAt: string; readonly deletedAt: string | null }
}

interface RecordPage {
  readonly nodes: readonly MirroredRecord[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string }
}

/** Reads all pages of a record list. `args` are its arguments besides those of the page. */
export async function readList(
  contextFor: ContextFor,
  client: ApiClient,
  { field, selection, args = '' }: { field: string; selection: string; args?: string },
): Promise<MirroredRecord[]> {
  const document = documentOf(
    `query ($after: String) { ${field}(first: ${PAGE}, after: $after ${args}) {
      nodes { id sourceId ${selection} metadata { modifiedAt deletedAt } } pageInfo { hasNextPage endCursor }
    } }`,
  )
  const records: MirroredRecord[] = []
  for (let after: string | null = null; ;) {
    const { data, errors } = await ask(executor, contextFor, { client, document, variables: { after } })
    if (errors) throw new Error(JSON.stringify(errors))
    const { nodes, pageInfo } = data![field] as RecordPage
    records.push(...nodes)
    if (!pageInfo.hasNextPage) return records
    after = pageInfo.endCursor
  }
}

/** A copy of a record list that an integrator keeps in step by `modifiedAfter`, with `deleted: true`. */
export class RecordMirror {
  readonly copy = new Map<string, MirroredRecord>()
  private newest = '1970-01-01T00:00:00.000Z'

  constructor(
    private readonly contextFor: ContextFor,
    private readonly client: ApiClient,
    private readonly list: { readonly field: string; readonly selection: string; readonly args?: string },
  ) {}

  async catchUp(): Promise<void> {
    const args = `${this.list.args ?? ''} modifiedAfter: "${this.newest}", deleted: true`
    for (const record of await readList(this.contextFor, this.client, { ...this.list, args })) {
      if (record.metadata.deletedAt === null) this.copy.set(record.id, record)
      else this.copy.delete(record.id)
      this.newest = record.metadata.modifiedAt
    }
  }
}
