import type { ContextFor } from '../../../src/gateway/context.ts'
import type { Executor } from '../../../src/gateway/execution/executor.ts'
import type { ApiClient } from '../factories.ts'
import { ask, documentOf } from '../graph/graph-harness.ts'

interface Vehicles {
  readonly nodes: readonly { readonly id: string; readonly metadata: { readonly modifiedAt: string } }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

const text = `query ($since: DateTime!, $first: Int!, $after: String) {
  vehicles(modifiedAfter: $since, first: $first, after: $after) {
    nodes { id metadata { modifiedAt } } pageInfo { hasNextPage endCursor }
  }
}`

/**
 * Replicates a caller's vehicles as integrators do: it repeatedly reads rows modified since its newest one.
 */
export class IncrementalReader {
  /** Modification time of each replicated vehicle. */
  readonly copy = new Map<string, string>()
  private newest = '1970-01-01T00:00:00.000Z'

  constructor(
    private readonly executor: Executor,
    private readonly contextFor: ContextFor,
    private readonly client: ApiClient,
    private readonly pageSize: number,
  ) {}

  /** Reads to the end of the list. */
  async catchUp(): Promise<void> {
    const since = this.newest
    for (let after: string | null = null; ;) {
      const { nodes, pageInfo } = await this.page(since, after)
      for (const { id, metadata } of nodes) {
        this.copy.set(id, metadata.modifiedAt)
        if (metadata.modifiedAt > this.newest) this.newest = metadata.modifiedAt
      }
      if (!pageInfo.hasNextPage) return
      after = pageInfo.endCursor
    }
  }

  private async page(since: string, after: string | null): Promise<Vehicles> {
    const { data, errors } = await ask(this.executor, this.contextFor, {
      client: this.client,
      document: documentOf(text),
      variables: { since, after, first: this.pageSize },
    })
    if (errors) throw new Error(JSON.stringify(errors))
    return (data as { vehicles: Vehicles }).vehicles
  }
}
