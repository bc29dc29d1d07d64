const MOST = 20

/** What went wrong, each kind once: the same fault shows in many requests. */
export class Failures {
  readonly list: string[] = []
  private readonly kinds = new Set<string>()

  add(kind: string, told: string): void {
    if (this.kinds.has(kind)) return
    this.kinds.add(kind)
    this.list.push(told)
  }

  /** Whether there is nothing to be gained from more. */
  get enough(): boolean {
    return this.list.length >= MOST
  }
}
