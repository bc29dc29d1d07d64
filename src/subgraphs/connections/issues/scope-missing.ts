import { IssueCode } from './issue-code.ts'
import type { IssueReport } from './report-issue.ts'

interface MissingScope {
  readonly model: string
  readonly providerName: string
  /** Whether the fleet consented on the provider's page (OAuth). Its consent then lacks a scope. */
  readonly isConsented: boolean
  /** Name of the data that the records lack. If absent, no records of the model are read at all. */
  readonly missingFields?: string | undefined
}

/** Returns code, model and message of the issue that an account lacks a permission. */
export function scopeMissing(missing: MissingScope): Pick<IssueReport, 'code' | 'model' | 'message'> {
  const { model, providerName, isConsented, missingFields } = missing
  const effect = missingFields
    ? `${model} records are read without ${missingFields}`
    : `No ${model} records are read`
  const [code, remedy] = isConsented
    ? [IssueCode.OAUTH_SCOPE_MISSING, 'Link the account again and consent to it.']
    : [IssueCode.PERMISSION_MISSING, `Extend the permissions of its credentials at ${providerName}.`]
  return {
    code,
    model,
    message: () => `${effect}: ${providerName} does not permit it to this account. ${remedy}`,
  }
}
