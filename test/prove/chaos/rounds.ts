import type { Client } from './client.ts'
import type { Fault } from './faults.ts'
import type { Supervisor } from './supervisor.ts'

/** The faults so far, and the time of each recovery. */
export class Rounds {
  readonly problems: string[] = []
  private readonly struck = new Map<string, { rounds: number; forMs: number }>()
  private readonly recoveriesMs: number[] = []

  begin(round: number, { name, of, lastsMs }: Fault): void {
    const kind = name.startsWith('network') ? `${name}: ${of}` : name
    const { rounds, forMs } = this.struck.get(kind) ?? { rounds: 0, forMs: 0 }
    this.struck.set(kind, { rounds: rounds + 1, forMs: forMs + lastsMs })
    console.log(`${new Date().toISOString()} round ${round}: ${name}, ${of}, ${lastsMs} ms`)
  }

  recovered({ name, of }: Fault, tookMs: number | null): void {
    if (tookMs === null) this.problems.push(`not all parts are ready a minute after ${name} (${of})`)
    else this.recoveriesMs.push(tookMs)
  }

  print(supervisor: Supervisor, { counts, odd, slowestMs }: Client): void {
    this.printFaults(supervisor)
    console.log(`\nAnswers by status; the slowest took ${(slowestMs / 1000).toFixed(1)} s`)
    for (const [kind, count] of [...counts].toSorted()) console.log(`  ${kind.padEnd(48)}${count}`)
    for (const text of odd) console.log(`  e.g. ${text}`)
  }

  printFaults({ restarts, failedStarts, crashes }: Supervisor): void {
    console.log('\nRounds by fault')
    for (const [kind, { rounds, forMs }] of [...this.struck].toSorted())
      console.log(`  ${kind.padEnd(34)}${String(rounds).padStart(4)}  ${(forMs / 1000).toFixed(0)} s in all`)
    const longest = Math.max(0, ...this.recoveriesMs)
    console.log(
      `${restarts} restarts of parts, ${failedStarts} starts that came to nothing, ${crashes.length} crashes; ` +
        `longest recovery ${(longest / 1000).toFixed(1)} s of ${this.recoveriesMs.length}`,
    )
  }
}
