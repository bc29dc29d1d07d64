import { writeFile } from 'node:fs/promises'
import { banner } from './app/banner.ts'
import { type Config, helpText, readConfig } from './platform/config/config.ts'
import { publicLinkUrl } from './platform/config/link-url.ts'
import { createLog } from './platform/logging/log.ts'
import { type Service, startService } from './app/start-service.ts'

/** The command line of the service. */

const PARENT_CHECK_MS = 200
const FAILED = 1
/** How long a process may take to close after it has drained, where something has gone wrong in it. */
const MAX_CLOSE_MS = 30_000

const asked = readConfig(process.argv.slice(2), process.env)
if ('help' in asked) process.stdout.write(helpText())
else if ('problems' in asked) fail(2, asked.problems)
else await run(asked.config)

async function run(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  let service: Service | undefined
  let closing = false
  const exit = (code: number) => {
    if (closing) return
    closing = true
    Promise.resolve(service?.close()).then(
      () => process.exit(code),
      (error: unknown) => {
        log.fatal({ err: error }, 'the service did not stop as it should')
        process.exit(FAILED)
      },
    )
  }
  process.on('uncaughtException', (err, origin) => {
    log.fatal({ err, origin }, 'uncaught exception: the process drains and exits')
    setTimeout(() => process.exit(FAILED), config.drainSeconds * 1000 + MAX_CLOSE_MS).unref()
    exit(FAILED)
  })
  service = await startService(config, log, (line) => void process.stdout.write(`${line}\n`)).catch(
    (error: Error) => fail(FAILED, [whatToDo(error, config)]),
  )
  process.on('SIGTERM', () => exit(0))
  process.on('SIGINT', () => exit(0))
  if (process.env['npm_lifecycle_event'] === 'start') endWithParent()
  await printStarted(service, config)
}

/** npm that is killed cannot pass that on; a service that nobody holds any more would keep its port and its data. */
function endWithParent(): void {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1)
  }, PARENT_CHECK_MS).unref()
}

async function printStarted(service: Service, config: Config): Promise<void> {
  const { url, demo } = service
  const places = {
    url,
    graphqlUrl: `${url}/graphql`,
    wsUrl: `${url.replace(/^http/, 'ws')}/graphql`,
    restUrl: `${url}/tsp/v1`,
    linkUrl: publicLinkUrl(config) ?? `${url}/link`,
  }
  process.stdout.write(banner(places, service, config))
  if (config.readyFile !== undefined)
    await writeFile(config.readyFile, `${JSON.stringify({ ...places, ...demo?.demo }, null, 2)}\n`, {
      mode: 0o600,
    })
}

function whatToDo(error: Error & { code?: string }, { port, host }: Config): string {
  if (error.code === 'EADDRINUSE')
    return `port ${port} of ${host} is taken: stop what listens there, or choose another with --port`
  if (error.code === 'EACCES')
    return `port ${port} of ${host} may not be used: choose one above 1023 with --port`
  if (error.code === 'ECONNREFUSED') return `a server does not answer: ${error.message}`
  return error.message
}

/** One line that names all problems. */
function fail(code: number, problems: readonly string[]): never {
  process.stderr.write(`odograph: ${problems.join('; ')}\n`)
  process.exit(code)
}
