import type { Frame, View } from '../view.ts'
import { renderAgreement } from './agreement.ts'
import { checking } from './checking.ts'
import { choose } from './choose.ts'
import { consent } from './consent.ts'
import { cancelled, done, refused, requested, returned } from './result-pages.ts'
import { requestProviderPage } from './request-provider.ts'
import { signIn } from './sign-in.ts'

/** Renders the complete page of a view in the language of the reader. */
export function render(view: View, frame: Frame): string {
  switch (view.step) {
    case 'choose':
      return choose(view, frame)
    case 'sign_in':
      return signIn(view, frame)
    case 'request':
      return requestProviderPage(view, frame)
    case 'consent':
      return consent(view, frame)
    case 'checking':
      return checking(view, frame)
    case 'done':
      return done(view, frame)
    case 'cancelled':
      return cancelled(view, frame)
    case 'requested':
      return requested(view, frame)
    case 'refused':
      return refused(view, frame)
    case 'return':
      return returned(view, frame)
    case 'agreement':
      return renderAgreement(frame)
  }
}
