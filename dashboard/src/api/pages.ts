/** A page of a list. */
interface Page<Node> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null }
  readonly nodes: readonly Node[]
}

/** Reads all pages of a list, each after the cursor of the one before it. `report` gets the number of nodes so far. */
export async function nodesOfPages<Node>(
  read: (after: string | null) => Promise<Page<Node> | null | undefined>,
  report: (count: number) => void = () => undefined,
): Promise<Node[]> {
  const nodes: Node[] = []
  let after: string | null = null
  for (;;) {
    const page: Page<Node> | null | undefined = await read(after)
    if (!page) return nodes
    nodes.push(...page.nodes)
    report(nodes.length)
    if (!page.pageInfo.hasNextPage) return nodes
    after = page.pageInfo.endCursor ?? null
  }
}
