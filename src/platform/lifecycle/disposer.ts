interface Closable {
  close(): Promise<void>
}

/** What has been opened, to be closed in the reverse order, all of it, whatever fails. */
export class Disposer {
  private readonly opened: Closable[] = []

  add<T extends Closable>(resource: T): T {
    this.opened.push(resource)
    return resource
  }

  async close(): Promise<void> {
    const failures: unknown[] = []
    for (const resource of this.opened.splice(0).reverse())
      await resource.close().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw new AggregateError(failures, 'not everything was closed as it should be')
  }
}
