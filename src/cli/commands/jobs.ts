import type { Command } from 'commander'
import type { Config } from '../../platform/config/config.ts'
import { redactSecretsByForm } from '../../platform/logging/log.ts'
import { type JobName, jobPolicies as policies } from '../../queue/jobs.ts'
import { type JobInspector, createJobInspector } from '../../queue/bullmq/job-inspector.ts'
import { toIso } from '../../domain/time.ts'
import { oneOfWords, wholeNumberBetween } from '../arguments.ts'
import type { Output } from '../output.ts'
import type { CommandGroup } from '../program.ts'
import { CliError } from '../cli-error.ts'
import { auditActionIfPossible } from '../audited-action.ts'
import { withConfig } from '../command-context.ts'

const names = Object.keys(policies) as JobName[]

interface JobOptions {
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
      .option('--limit <n>', 'maximum number for each job name', wholeNumberBetween(1, 1000), 20)
      .action(withJobs(failed))
    command('retry [id]', 'retry a failed job')
      .option('--all', 'all failed jobs')
      .addHelpText('after', '\nExample:\n  $ odograph jobs retry --all --job sync-connection')
      .action(withJobs(changeFailedJobs(retry, 'jobs.retried', 'retried')))
    command('clear [id]', 'remove a failed job')
      .option('--all', 'all failed jobs')
      .action(withJobs(changeFailedJobs(clear, 'jobs.cleared', 'cleared')))
  },
}

type JobAction = (
  jobs: JobInspector,
  output: Output,
  options: JobOptions,
  id: string | undefined,
  config: Config,
) => Promise<void>

const withJobs = (work: JobAction) =>
  withConfig<JobOptions>(async (config: Config, output, options, id) => {
    const { redisUrl, queuePrefix } = config
    if (!redisUrl)
      throw new CliError(
        'without REDIS_URL, jobs run in the process of the service and cannot be listed: ' +
          'set REDIS_URL if the service uses Redis, or use `odograph syncs list`',
      )
    const inspector = createJobInspector({ redisUrl, prefix: queuePrefix })
    try {
      await work(inspector, output, options, id, config)
    } finally {
      await inspector.close()
    }
  })

async function list(inspector: JobInspector, output: Output): Promise<void> {
  output.list((await inspector.counts()).map((counts) => ({ ...counts })))
}

async function failed(inspector: JobInspector, output: Output, { job, limit }: JobOptions): Promise<void> {
  const found = await inspector.failed(job ? [job] : names, limit)
  output.list(
    found.map(({ failedAt, error, ...rest }) => ({
      ...rest,
      failedAt: failedAt === null ? null : toIso(failedAt),
      error: redactSecretsByForm(error),
    })),
  )
}

const retry: ChangeJobs = (inspector, jobNames, id) => inspector.retry(jobNames, id)
const clear: ChangeJobs = (inspector, jobNames, id) => inspector.clear(jobNames, id)

type ChangeJobs = (
  inspector: JobInspector,
  jobNames: readonly JobName[],
  id: string | undefined,
) => Promise<number>

/**
 * Returns the action of a command that changes one failed job or all of them. Without an id it requires `--all`, so
 * that nobody changes all jobs by mistake.
 */
const changeFailedJobs =
  (change: ChangeJobs, action: string, cell: string): JobAction =>
  async (inspector, output, { job, all }, id, config) => {
    if ((id === undefined) === (all !== true)) throw new CliError('give the id of a failed job, or --all', 2)
    // If Redis is unreachable, this call fails before the action is audited.
    await inspector.counts()
    let count = 0
    await auditActionIfPossible(config, output, {
      action,
      detail: { job: job ?? 'any', jobId: id ?? 'all' },
      async act() {
        count = await change(inspector, job ? [job] : names, id)
        return count > 0 ? { count } : null
      },
    })
    if (id !== undefined && count === 0)
      throw new CliError(`there is no failed job ${id}: \`odograph jobs failed\` shows their ids`)
    output.one({ [cell]: count })
  }
