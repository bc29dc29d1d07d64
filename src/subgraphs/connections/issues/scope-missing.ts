import { IssueCode } from './issue-code.ts'
import type { IssueReport } from './report-issue.ts'

interface MissingScope {
  readonly model: string
  readonly providerName: string
  /** Whether the fleet consented at the provider's own page. */
  readonly isConsented: boolean
  /** What its records are read without; without it none are read. */
  readonly lacking?: string | undefined
}

/** Of which kind an issue is that an account may not read something, and what it says. */
export function scopeMissing(unread: MissingScope): Pick<IssueReport, 'code' | 'model' | 'message'> {
  const { model, providerName, isConsented, lacking } = unread
  const read = lacking ? `${model} records are read without ${lacking}` : `No ${model} records are read`
  const [code, remedy] = isConsented
    ? [IssueCode.OAUTH_SCOPE_MISSING, 'Link the account again and consent to it.']
    : [IssueCode.PERMISSION_MISSING, 'Widen the permissions of its credentials there.']
  return {
    code,
    model,
    message: () => `${read}: ${providerName} does not permit it to this account. ${remedy}`,
  }
}
