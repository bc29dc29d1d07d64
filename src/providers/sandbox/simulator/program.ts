import { HELP, type Options, readOptions } from './options.ts'
import { startSimulator } from './server.ts'

const asked = readOptions(process.argv.slice(2))
if (asked === 'help') process.stdout.write(HELP)
else if ('problems' in asked) exit(2, asked.problems.join('; '))
else await run(asked)

/** Says where it listens, to whoever reads and to a parent process, and stops when told to or left alone. */
async function run(options: Options) {
  const simulator = await startSimulator(options).catch((error: Error) => exit(1, error.message))
  process.on('SIGTERM', () => void simulator.close().then(() => process.exit(0)))
  process.on('SIGINT', () => void simulator.close().then(() => process.exit(0)))
  process.on('disconnect', () => process.exit(0))
  const { port } = simulator
  process.stdout.write(`${JSON.stringify({ port })}\n`)
  process.send?.({ port })
}

function exit(code: number, problem: string): never {
  process.stderr.write(`sandbox simulator: ${problem}\n`)
  process.exit(code)
}
