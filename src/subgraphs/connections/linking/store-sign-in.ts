import type { CredentialField, ProviderCredentials } from '../../../providers/provider.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import { chosenWay } from './choose-provider.ts'
import type { LinkRun } from './link-run.ts'
import { updateRun, encryptCredentials, clearedSignIn } from './link-run-repository.ts'

const MAX_CREDENTIAL_LENGTH = 4096

/**
 * Stores the submitted credentials, encrypted, until the account is checked. `fieldValue` returns the value
 * of a field by name.
 */
export async function storeSignIn(
  deps: Pick<ConnectionCommandDeps, 'db' | 'registry' | 'secrets'>,
  run: LinkRun,
  fieldValue: (name: string) => string | null,
): Promise<void> {
  const way = chosenWay(deps, run)
  if (way?.kind !== 'form') return
  const given = submittedCredentials(way.fields, fieldValue)
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

/** Returns the non-empty fields. Passwords are unchanged; other values are trimmed. */
function submittedCredentials(
  fields: readonly CredentialField[],
  fieldValue: (name: string) => string | null,
): ProviderCredentials {
  const given = fields.map(({ name, kind }): [string, string] => {
    const text = (fieldValue(name) ?? '').slice(0, MAX_CREDENTIAL_LENGTH)
    return [name, kind === 'password' && text.trim() !== '' ? text : text.trim()]
  })
  return Object.fromEntries(given.filter(([, text]) => text !== ''))
}

const isComplete = (fields: readonly CredentialField[], given: ProviderCredentials): boolean =>
  fields.every(({ name, isOptional = false }) => isOptional || name in given)
