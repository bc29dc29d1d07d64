interface Closable {
  close(): Promise<void>
}

/** Closes resources in the reverse order in which they were added. A failure does not stop the rest. */
export class Disposer {
  private readonly resources: Closable[] = []

  add<T extends Closable>(resource: T): T {
    this.resources.push(resource)
    return resource
  }

  async close(): Promise<void> {
    const failures: unknown[] = []
    for (const resource of this.resources.splice(0).reverse())
      await resource.close().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw new AggregateError(failures, 'some resources failed to close')
  }
}
