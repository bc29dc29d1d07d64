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
  const credentials = submittedCredentials(way.fields, fieldValue)
  await updateRun(
    deps.db,
    run,
    { status: 'open', provider: run.provider },
    {
      ...clearedSignIn,
      signIn: way.id,
      problem: isComplete(way.fields, credentials) ? null : 'incomplete',
      credentialsSealed: encryptCredentials(deps.secrets, run, credentials),
    },
  )
}

/** Returns the non-empty fields. Passwords are unchanged, because their spaces may count; other values are trimmed. */
function submittedCredentials(
  fields: readonly CredentialField[],
  fieldValue: (name: string) => string | null,
): ProviderCredentials {
  const entries = fields.map(({ name, kind }): [string, string] => {
    const text = (fieldValue(name) ?? '').slice(0, MAX_CREDENTIAL_LENGTH)
    return [name, kind === 'password' && text.trim() !== '' ? text : text.trim()]
  })
  return Object.fromEntries(entries.filter(([, text]) => text !== ''))
}

const isComplete = (fields: readonly CredentialField[], credentials: ProviderCredentials): boolean =>
  fields.every(({ name, isOptional = false }) => isOptional || name in credentials)
