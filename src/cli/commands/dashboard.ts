import { type Command, Option } from 'commander'
import { SessionRole } from '../../auth/session-roles.ts'
import { toIso } from '../../domain/time.ts'
import { createSignInLink } from '../../subgraphs/connections/sessions/create-sign-in-link.ts'
import { operatorActor } from '../../subgraphs/tables/audit-log.ts'
import { applicationCommand, type ApplicationOption } from '../application-command.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { findApplicationById } from '../find-application.ts'
import type { CommandGroup } from '../program.ts'
import { publicAddressOf } from '../public-address.ts'

interface LinkOptions extends ApplicationOption {
  readonly name?: string
  readonly role: Lowercase<SessionRole>
}

const roles = Object.values(SessionRole)

export const dashboard: CommandGroup = {
  addTo(group: Command) {
    applicationCommand(group, 'link', 'print a link with which one person signs in, once, within an hour')
      .option('--name <name>', 'name of the person, shown in the list of sessions')
      .addOption(
        new Option('--role <role>', 'what the person may do')
          .choices(roles.map((role) => role.toLowerCase()))
          .default('viewer'),
      )
      .addHelpText(
        'after',
        '\nExample:\n  $ odograph dashboard link --application app_01M7XZ3JF90H8EC8HYVB2R0P6F --name "Ada Byron" --role operator',
      )
      .action(withCommandContext(link))
  },
}

async function link(
  { config, db, clock, output }: CommandContext,
  { application, name, role }: LinkOptions,
): Promise<void> {
  await findApplicationById({ db }, application)
  const created = await createSignInLink(
    { db, clock },
    {
      applicationId: application,
      name: name ?? null,
      role: role.toUpperCase() as Uppercase<typeof role>,
      actor: operatorActor,
    },
  )
  const { id, expiresAt } = created.session
  output.one({
    id,
    role: created.session.role,
    url: `${publicAddressOf(config)}/dashboard/sign-in#${created.code}`,
    expiresAt: toIso(expiresAt),
  })
  output.say('The link works once. The session that it opens lasts a day; `odograph sessions` ends it.')
  if (config.publicUrl === undefined)
    output.say(
      'The link leads to this machine. Set PUBLIC_URL to the address at which people reach the service.',
    )
}
