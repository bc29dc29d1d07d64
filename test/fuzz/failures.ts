const MAX_FAILURES = 20

/** Failures, one of each kind: many requests show the same defect. */
export class Failures {
  readonly list: string[] = []
  private readonly kinds = new Set<string>()

  add(kind: string, description: string): void {
    if (this.kinds.has(kind)) return
    this.kinds.add(kind)
    this.list.push(description)
  }

  /** Whether more failures would add nothing. */
  get enough(): boolean {
    return this.list.length >= MAX_FAILURES
  }
}
