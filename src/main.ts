import { writeFile } from 'node:fs/promises'
import { banner } from './app/banner.ts'
import { type Config, helpText, readConfig } from './platform/config/config.ts'
import { publicLinkUrl } from './platform/config/link-url.ts'
import { misspeltVariables } from './platform/config/misspelt-variables.ts'
import { createLog } from './platform/logging/log.ts'
import { type Service, startService } from './app/start-service.ts'

/** Entry point: reads the configuration, starts the service, handles signals. */

const PARENT_CHECK_MS = 200
const FAILED = 1
/** Time in ms for closing after the drain, when an uncaught exception ends the process. */
const MAX_CLOSE_MS = 30_000

const configuration = readConfig(process.argv.slice(2), process.env)
if ('help' in configuration) process.stdout.write(helpText())
else if ('problems' in configuration) fail(2, configuration.problems)
else await run(configuration.config)

async function run(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  for (const misspelt of misspeltVariables(process.env))
    log.warn(misspelt, 'environment variable is no setting, but is spelt almost like one')
  let service: Service | undefined
  let closing = false
  const exit = (code: number) => {
    if (closing) return
    closing = true
    Promise.resolve(service?.close()).then(
      () => process.exit(code),
      (error: unknown) => {
        log.fatal({ err: error }, 'shutdown failed')
        process.exit(FAILED)
      },
    )
  }
  process.on('uncaughtException', (err, origin) => {
    log.fatal({ err, origin }, 'uncaught exception, draining and exiting')
    setTimeout(() => process.exit(FAILED), config.drainSeconds * 1000 + MAX_CLOSE_MS).unref()
    exit(FAILED)
  })
  service = await startService(config, log, (line) => void process.stdout.write(`${line}\n`)).catch(
    (error: Error) => fail(FAILED, [describeFailure(error, config)]),
  )
  process.on('SIGTERM', () => exit(0))
  process.on('SIGINT', () => exit(0))
  if (process.env['npm_lifecycle_event'] === 'start') endWithParent()
  await printStarted(service, config)
}

/**
 * Exits when the parent process is gone. A killed npm cannot signal its child, which would keep the port and
 * the data.
 */
function endWithParent(): void {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1)
  }, PARENT_CHECK_MS).unref()
}

async function printStarted(service: Service, config: Config): Promise<void> {
  const { url, demo } = service
  const urls = {
    url,
    dashboardUrl: `${url}/dashboard`,
    graphqlUrl: `${url}/graphql`,
    wsUrl: `${url.replace(/^http/, 'ws')}/graphql`,
    restUrl: `${url}/tsp/v1`,
    linkUrl: publicLinkUrl(config) ?? `${url}/link`,
  }
  process.stdout.write(banner(urls, service, config))
  if (config.readyFile !== undefined)
    await writeFile(config.readyFile, `${JSON.stringify({ ...urls, ...demo?.credentials }, null, 2)}\n`, {
      mode: 0o600,
    })
}

function describeFailure(error: NodeJS.ErrnoException, { port, host }: Config): string {
  if (error.code === 'EADDRINUSE')
    return `port ${port} of ${host} is in use: stop the process that listens there, or choose another with --port`
  if (error.code === 'EACCES' && error.syscall === 'listen')
    return `port ${port} of ${host} is not permitted: choose one above 1023 with --port`
  if (error.code === 'ECONNREFUSED') return `a server does not answer: ${error.message}`
  return error.message
}

/** Prints all problems in one line and exits. */
function fail(code: number, problems: readonly string[]): never {
  process.stderr.write(`odograph: ${problems.join('; ')}\n`)
  process.exit(code)
}
