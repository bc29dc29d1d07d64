import type { PageOptions, ProviderSummary } from '../view.ts'
import { textsIn } from './i18n/language.ts'
import type { TextNames, Texts } from './i18n/texts.ts'

/** Everything that the parts of a page need: the texts in its language, the names in them, and its options. */
export interface PageContext {
  readonly texts: Texts
  readonly names: TextNames
  readonly options: PageOptions
  /** Code of the provider that the page is about; null if it is about none. */
  readonly providerCode: string | null
}

export function pageContextOf(options: PageOptions, provider?: ProviderSummary): PageContext {
  const texts = textsIn(options.language)
  const names = { app: options.applicationName ?? texts.nameless, provider: provider?.name ?? '' }
  return { texts, options, names, providerCode: provider?.code ?? null }
}
