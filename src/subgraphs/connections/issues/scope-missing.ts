import { IssueCode } from './issue-code.ts'
import type { IssueReport } from './report-issue.ts'

interface MissingScope {
  readonly model: string
  readonly providerName: string
  /** Whether the fleet consented on the provider's own page. */
  readonly isConsented: boolean
  /** Data without which the records are still read. If absent, no records of the model are read. */
  readonly lacking?: string | undefined
}

/** Returns code and message of the issue that an account lacks a permission. */
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
