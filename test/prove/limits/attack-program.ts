import type { AttackInput } from './attack-process.ts'
import { attacks } from './attacks.ts'

/** Program of an attack. Its parent sends the input, then `stop`. It sends the number of each answer. */

let over = false
const answers = new Map<string, number>()
const count = (answer: string): void => void answers.set(answer, (answers.get(answer) ?? 0) + 1)

process.once('message', (input: AttackInput) => void attack(input))
process.on('disconnect', () => process.exit())

async function attack({ name, target }: AttackInput): Promise<void> {
  const stopped = new Promise<void>((resolve) => process.once('message', () => resolve()))
  void stopped.then(() => (over = true))
  await attacks.find((known) => known.name === name)!.run(target, count, () => over)
  await stopped
  process.send!([...answers])
}
