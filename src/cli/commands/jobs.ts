import type { Command } from 'commander'
import type { Config } from '../../platform/config/config.ts'
import { redactSecretsByForm } from '../../platform/logging/log.ts'
import { type JobName, jobPolicies as policies } from '../../queue/jobs.ts'
import { type JobInspector, createJobInspector } from '../../queue/bullmq/job-inspector.ts'
import { toIso } from '../../domain/time.ts'
import { oneOfWords, parseWholeNumber } from '../arguments.ts'
import type { Output } from '../output.ts'
import type { CommandGroup } from '../program.ts'
import { CliError } from '../cli-error.ts'
import { auditActionIfPossible } from '../audited-action.ts'
import { withConfig } from '../command-context.ts'

const names = Object.keys(policies) as JobName[]

interface Which {
  readonly job?: JobName
  readonly all?: boolean
  readonly limit: number
}

export const jobs: CommandGroup = {
  addTo(group: Command) {
    group.command('list').description('count jobs by name and state').action(withJobs(list))
    const command = (name: string, description: string) =>
      group.command(name).description(description).option('--job <name>', names.join(', '), oneOfWords(names))
    command('failed', 'list jobs that have finally failed, with their errors')
      .option('--limit <n>', 'maximum number for each job name', parseWholeNumber(1, 1000), 20)
      .action(withJobs(failed))
    command('retry [id]', 'retry a failed job')
      .option('--all', 'all failed jobs')
      .addHelpText('after', '\nExample:\n  $ odograph jobs retry --all --job sync-connection')
      .action(withJobs(acting(retry, 'jobs.retried', 'retried')))
    command('clear [id]', 'remove a failed job')
      .option('--all', 'all failed jobs')
      .action(withJobs(acting(clear, 'jobs.cleared', 'cleared')))
  },
}

type JobAction = (
  jobs: JobInspector,
  output: Output,
  options: Which,
  id: string | undefined,
  config: Config,
) => Promise<void>

const withJobs = (work: JobAction) =>
  withConfig<Which>(async (config: Config, output, options, id) => {
    const { redisUrl, queuePrefix } = config
    if (!redisUrl)
      throw new CliError(
        'without REDIS_URL, jobs run in the process of the service and cannot be listed: ' +
          'set REDIS_URL if the service uses Redis, or use `odograph syncs list`',
      )
    const kept = createJobInspector({ redisUrl, prefix: queuePrefix })
    try {
      await work(kept, output, options, id, config)
    } finally {
      await kept.close()
    }
  })

async function list(kept: JobInspector, output: Output): Promise<void> {
  output.list((await kept.counts()).map((counts) => ({ ...counts })))
}

async function failed(kept: JobInspector, output: Output, { job, limit }: Which): Promise<void> {
  const found = await kept.failed(job ? [job] : names, limit)
  output.list(
    found.map(({ failedAt, error, ...rest }) => ({
      ...rest,
      failedAt: failedAt === null ? null : toIso(failedAt),
      error: redactSecretsByForm(error),
    })),
  )
}

const retry: Attempt = (kept, jobNames, id) => kept.retry(jobNames, id)
const clear: Attempt = (kept, jobNames, id) => kept.clear(jobNames, id)

type Attempt = (kept: JobInspector, jobNames: readonly JobName[], id: string | undefined) => Promise<number>

/** Makes an action on one failed job or on all. Without an id, `--all` is required: nobody acts on all by mistake. */
const acting =
  (attempt: Attempt, action: string, cell: string): JobAction =>
  async (kept, output, { job, all }, id, config) => {
    if ((id === undefined) === (all !== true)) throw new CliError('give the id of a failed job, or --all', 2)
    // Fails before anything is audited if Redis is unreachable.
    await kept.counts()
    let count = 0
    await auditActionIfPossible(config, output, {
      action,
      detail: { job: job ?? 'any', jobId: id ?? 'all' },
      async act() {
        count = await attempt(kept, job ? [job] : names, id)
        return count > 0 ? { count } : null
      },
    })
    if (id !== undefined && count === 0)
      throw new CliError(`there is no failed job ${id}: \`odograph jobs failed\` names them`)
    output.one({ [cell]: count })
  }
