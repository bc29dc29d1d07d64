import type { CredentialField, ProviderCredentials } from '../../../providers/provider.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import { chosenWay } from './choose-provider.ts'
import type { LinkRun } from './link-run.ts'
import { updateRun, encryptCredentials, clearedSignIn } from './link-run-repository.ts'

const MAX_CREDENTIAL_LENGTH = 4096

/** Keeps what a fleet has typed in, sealed, until the account is checked. `typed` answers for each field by its name. */
export async function storeSignIn(
  deps: Pick<ConnectionCommandDeps, 'db' | 'registry' | 'secrets'>,
  run: LinkRun,
  typed: (name: string) => string | null,
): Promise<void> {
  const way = chosenWay(deps, run)
  if (way?.kind !== 'form') return
  const given = credentialsOf(way.fields, typed)
  await updateRun(
    deps.db,
    run,
    { status: 'open', provider: run.provider },
    {
      ...clearedSignIn,
      signIn: way.id,
      problem: isComplete(way.fields, given) ? null : 'incomplete',
      credentialsSealed: encryptCredentials(deps.secrets, run, given),
    },
  )
}

/** Without what was left empty. A password is taken as it is; around anything else spaces mean nothing. */
function credentialsOf(
  fields: readonly CredentialField[],
  typed: (name: string) => string | null,
): ProviderCredentials {
  const given = fields.map(({ name, kind }): [string, string] => {
    const text = (typed(name) ?? '').slice(0, MAX_CREDENTIAL_LENGTH)
    return [name, kind === 'password' && text.trim() !== '' ? text : text.trim()]
  })
  return Object.fromEntries(given.filter(([, text]) => text !== ''))
}

const isComplete = (fields: readonly CredentialField[], given: ProviderCredentials): boolean =>
  fields.every(({ name, isOptional = false }) => isOptional || name in given)
