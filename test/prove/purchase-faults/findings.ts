/** Kinds of findings. Each fails the proof. */
const findingKinds = {
  differs: 'one key was answered with different recorded checks',
  lost: 'an answer says that a check is recorded, but the database does not have it',
  doubled: 'the database has several checks with one key',
  event: 'a check has not exactly one event of each type, or an event has no check',
  hung: 'a request does not end',
  undocumented: 'an answer is not documented',
  unanswered: 'a key gets no recorded answer, although every process is ready',
} as const

type FindingKind = keyof typeof findingKinds

const EXAMPLES = 5

/** Counts findings by kind, and keeps the first examples. */
export class Findings {
  private readonly found = new Map<FindingKind, { count: number; readonly examples: string[] }>()

  add(kind: FindingKind, example: string): void {
    const found = this.found.get(kind) ?? { count: 0, examples: [] }
    this.found.set(kind, found)
    found.count++
    if (found.examples.length < EXAMPLES) found.examples.push(example.slice(0, 500))
  }

  print(): void {
    console.log('\nFindings')
    for (const [kind, description] of Object.entries(findingKinds))
      console.log(`  ${String(this.found.get(kind as FindingKind)?.count ?? 0).padStart(6)}  ${description}`)
  }

  /** Returns a failure for each kind, with its first examples. */
  failures(): string[] {
    return [...this.found].map(
      ([kind, { count, examples }]) => `${findingKinds[kind]} (${count}): ${examples.join('; ')}`,
    )
  }
}
