import type { PageOptions, View } from '../view.ts'
import { renderAgreement } from './agreement.ts'
import { checking } from './checking.ts'
import { choose } from './choose.ts'
import { consent } from './consent.ts'
import { cancelled, done, refused, requested, returned } from './result-pages.ts'
import { requestProviderPage } from './request-provider.ts'
import { signIn } from './sign-in.ts'

/** Renders the complete page of a view in the language of the reader. */
export function render(view: View, options: PageOptions): string {
  switch (view.step) {
    case 'choose':
      return choose(view, options)
    case 'sign_in':
      return signIn(view, options)
    case 'request':
      return requestProviderPage(view, options)
    case 'consent':
      return consent(view, options)
    case 'checking':
      return checking(view, options)
    case 'done':
      return done(view, options)
    case 'cancelled':
      return cancelled(view, options)
    case 'requested':
      return requested(view, options)
    case 'refused':
      return refused(view, options)
    case 'return':
      return returned(view, options)
    case 'agreement':
      return renderAgreement(options)
  }
}
