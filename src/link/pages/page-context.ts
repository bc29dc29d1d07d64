import type { Frame, ProviderSummary } from '../view.ts'
import { textsIn } from './i18n/language.ts'
import type { TextNames, Texts } from './i18n/texts.ts'

/** Everything that the parts of a page need: texts of its language, names, and the frame around its content. */
export interface PageContext {
  readonly texts: Texts
  readonly names: TextNames
  readonly frame: Frame
  /** Code of the provider that the page is about; null if it is about none. */
  readonly at: string | null
}

export function pageContextOf(frame: Frame, provider?: ProviderSummary): PageContext {
  const texts = textsIn(frame.language)
  const names = { app: frame.applicationName ?? texts.nameless, provider: provider?.name ?? '' }
  return { texts, frame, names, at: provider?.code ?? null }
}
