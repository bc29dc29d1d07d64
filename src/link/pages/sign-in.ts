import type { CredentialField, SignIn } from '../../providers/provider.ts'
import type { PageOptions, View } from '../view.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import { renderDocument, form, statusLine, exitForms } from './layout.ts'
import { type PageContext, pageContextOf } from './page-context.ts'
import { problemBox } from './problem-box.ts'

type SignInView = Extract<View, { step: 'sign_in' }>

export function signIn(view: SignInView, options: PageOptions): string {
  const context = pageContextOf(options, view.provider)
  const { texts, names } = context
  const title = view.isAgain ? texts.signIn.titleAgain(names) : texts.signIn.title(names)
  const follows = options.isFramed && view.chosen.kind === 'oauth'
  return renderDocument(context, {
    title,
    viewName: view.step,
    state: stateOf(view),
    progressStep: 'sign_in',
    provider: view.provider,
    isError: view.problem !== null,
    scriptData: { follow: follows ? '2' : null },
    body: html`${view.problem && problemBox(context, view.problem, view.mayRetry)}
      <h1>${title}</h1>
      <p class="lede">${view.isAgain ? texts.signIn.ledeAgain(names) : texts.signIn.lede(names)}</p>
      ${view.chosen.kind === 'form' ? credentialsForm(view, view.chosen.fields, context) : atProvider(context)}
      ${otherWays(view, context)} ${exitForms(context, view.mayChooseAnother ? texts.signIn.another : null)}`,
  })
}

const stateOf = ({ chosen, problem }: SignInView): string => `sign_in ${chosen.id} ${problem ?? ''}`

function credentialsForm(view: SignInView, fields: readonly CredentialField[], context: PageContext): Html {
  const { texts, names } = context
  return form(
    context,
    'sign_in',
    html`${fields.map((field) => fieldOf(field, view, context))}
      <p class="sealed">${icon('lock')}<span>${texts.signIn.sealed(names)}</span></p>
      <button class="primary">${texts.signIn.submit}</button>`,
    html`class="stack"`,
  )
}

/** Whether the value of a field may have caused the problem of the view. */
function mayBeInvalid({ name, kind, label, isOptional }: CredentialField, view: SignInView): boolean {
  if (view.problem === 'wrong_server') return kind === 'url'
  if (view.problem === 'code_missing') return label === 'code'
  if (isOptional) return false
  return view.problem === 'incomplete' ? !view.typed[name] : view.problem === 'wrong_credentials'
}

function fieldOf(field: CredentialField, view: SignInView, { texts }: PageContext): Html {
  const id = `field-${field.name}`
  const isWrong = mayBeInvalid(field, view)
  const described = [isWrong && 'problem', field.example && `${id}-example`].filter(Boolean).join(' ')
  return html`<div class="field">
    <label for="${id}"
      >${texts.signIn.fields[field.label]}${field.isOptional && html` <span class="optional">(${texts.signIn.optional})</span>`}</label
    >
    ${field.example && html`<p class="hint" id="${id}-example">${texts.signIn.example(field.example)}</p>`}
    <div class="field-row">
      <input
        id="${id}"
        name="${field.name}"
        type="${field.kind}"
        value="${field.kind === 'password' ? '' : view.typed[field.name]}"
        autocomplete="${autocompleteOf(field)}"
        autocapitalize="none"
        autocorrect="off"
        spellcheck="false"
        ${!field.isOptional && html` required`}${isWrong && html` aria-invalid="true"`}${described && html` aria-describedby="${described}"`}
      />
      ${field.kind === 'password' && html`<button type="button" class="secondary reveal" data-reveal="${id}" data-show="${texts.signIn.show}" data-hide="${texts.signIn.hide}" aria-controls="${id}" hidden><span>${texts.signIn.show}</span><span class="unseen"> ${texts.signIn.fields[field.label]}</span></button>`}
    </div>
  </div>`
}

const autocompletes: Partial<Record<CredentialField['label'], string>> = {
  user: 'username',
  password: 'current-password',
}

const autocompleteOf = ({ label, kind }: CredentialField): string =>
  autocompletes[label] ?? (kind === 'email' ? 'email' : 'off')

/**
 * Renders the button for the sign-in at the provider. Providers do not allow their pages in frames. In a frame, the
 * sign-in therefore opens in a new tab. This page polls the run and continues when the fleet has signed in.
 */
function atProvider(context: PageContext): Html {
  const { texts, names, options } = context
  const button = html`<button class="primary">${texts.signIn.atProvider(names)}${icon('chevron')}</button>`
  const inNewTab = html`${button}
    <p class="hint">${texts.signIn.newTab}</p>
    ${statusLine('waiting', '', { waiting: texts.signIn.waiting(names) })}`
  return html`<p>${texts.signIn.ledeAtProvider(names)}</p>
    ${
      options.isFramed
        ? form(context, 'oauth', inNewTab, html`class="stack" target="_blank" rel="noopener" data-new-tab`)
        : form(context, 'oauth', button)
    }`
}

function otherWays({ ways, chosen }: SignInView, context: PageContext): Html | false {
  const { texts, names } = context
  const alternatives = ways.filter((way) => way.id !== chosen.id)
  const button = (way: SignIn) =>
    html`<li>
      <button class="secondary wide" name="way" value="${way.id}">
        ${texts.signIn.ways[way.label](names)}
      </button>
    </li>`
  return (
    alternatives.length > 0 &&
    html`<section class="other-ways" aria-labelledby="other-ways">
      <h2 id="other-ways">${texts.signIn.otherWays}</h2>
      ${form(
        context,
        'way',
        html`<ul>
          ${alternatives.map(button)}
        </ul>`,
      )}
    </section>`
  )
}
