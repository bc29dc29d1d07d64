import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { Attack, Target } from './attack.ts'

/** Input of the program of an attack. */
export interface AttackInput {
  readonly name: string
  readonly target: Target
}

/** Number of times that the attack got each answer. */
export type Answers = ReadonlyMap<string, number>

/** An attack in a process of its own. */
export class AttackProcess implements AsyncDisposable {
  private constructor(private readonly child: ChildProcess) {}

  static start({ name }: Attack, target: Target): AttackProcess {
    const child = fork(join(process.cwd(), 'dist/test/prove/limits/attack-program.js'))
    // The attack must not take the processor from the probe, which measures.
    setPriority(child.pid!, constants.priority.PRIORITY_BELOW_NORMAL)
    child.send({ name, target } satisfies AttackInput)
    return new AttackProcess(child)
  }

  async stop(): Promise<Answers> {
    this.child.send('stop')
    const ended = once(this.child, 'exit').then(([code]) => {
      throw new Error(`the program of the attack ended with ${code}`)
    })
    const [answers] = (await Promise.race([once(this.child, 'message'), ended])) as [[string, number][]]
    return new Map(answers.toSorted(([, a], [, b]) => b - a))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null) return
    const exited = once(this.child, 'exit')
    this.child.disconnect()
    await exited
  }
}
