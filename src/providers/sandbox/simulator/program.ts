import { HELP, type Options, readOptions } from './options.ts'
import { startSimulator } from './server.ts'

const parsed = readOptions(process.argv.slice(2))
if (parsed === 'help') process.stdout.write(HELP)
else if ('problems' in parsed) exit(2, parsed.problems.join('; '))
else await run(parsed)

/**
 * Starts the simulator. Writes its port to stdout, and sends it to the parent process if there is one. Exits on
 * SIGTERM, on SIGINT, and when the parent exits.
 */
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
