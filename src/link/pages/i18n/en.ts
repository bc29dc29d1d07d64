import type { Texts } from './texts.ts'

export const en: Texts = {
  language: 'English',
  nameless: 'the company that sent you here',
  languages: 'Language',
  skip: 'Skip to the content',
  opensNewTab: 'opens in a new tab',
  errorInTitle: 'Error',
  cancel: 'Cancel',
  back: 'Back',
  close: 'Close',
  retry: 'Try again',
  stepOf: (step, of) => `Step ${step} of ${of}`,
  steps: { choose: 'Provider', sign_in: 'Sign in', consent: 'Agree', checking: 'Check' },
  promise: {
    title: ({ app }) => `Share your fleet’s data with ${app}`,
    decide: { name: 'You decide', text: 'Nothing is shared until you have seen what it is and agreed.' },
    sealed: {
      name: 'Your sign-in stays secret',
      text: ({ app }) => `It is stored encrypted and is never shown to ${app}.`,
    },
    stop: {
      name: 'You can stop at any time',
      text: ({ app }) => `Tell ${app}, or withdraw the access at your provider.`,
    },
  },
  simulated: 'Simulated data',
  choose: {
    title: 'Choose your provider',
    lede: ({ app }) =>
      `Whose devices are in your vehicles? You will share the data of that account with ${app}.`,
    search: 'Find your provider',
    submit: 'Search',
    list: 'Providers',
    unavailable: 'Not available yet',
    found: (count) => (count === 1 ? '1 provider' : `${count} providers`),
    none: (search) => `No provider is called “${search}”.`,
    noneAdvice: ({ app }) =>
      `Check the spelling, or try the name on the device. If your provider is not here, tell ${app}.`,
    all: 'Show all providers',
    unlisted: 'My provider is not listed',
  },
  signIn: {
    title: ({ provider }) => `Sign in to ${provider}`,
    titleAgain: ({ provider }) => `Sign in to ${provider} again`,
    lede: ({ provider }) => `Use the account that your company has at ${provider}.`,
    ledeAgain: ({ app }) =>
      `Sign in to the same account as before. If your data no longer reaches ${app}, it then does again.`,
    ledeAtProvider: ({ provider }) =>
      `You sign in on ${provider}’s own page, and come back here afterwards. We never see your password.`,
    fields: {
      apiKey: 'API key',
      user: 'User name',
      password: 'Password',
      database: 'Database',
      serverUrl: 'Server address',
      host: 'Host',
      code: 'Code, where two-step sign-in is on',
    },
    optional: 'optional',
    example: (example) => `For example ${example}`,
    show: 'Show',
    hide: 'Hide',
    submit: 'Continue',
    atProvider: ({ provider }) => `Continue to ${provider}`,
    waiting: ({ provider }) => `Sign in to ${provider} in the new tab. This page then goes on by itself.`,
    newTab: 'The sign-in opens in a new tab.',
    otherWays: 'Other ways to sign in',
    ways: {
      withKey: () => 'With an API key',
      withPassword: () => 'With user name and password',
      atProvider: ({ provider }) => `On the page of ${provider}`,
    },
    another: 'Choose another provider',
    sealed: ({ app }) => `Stored encrypted. Never shown to ${app}.`,
  },
  request: {
    title: ({ provider }) => `${provider} cannot be linked yet`,
    titleUnlisted: 'Which provider do you use?',
    lede: ({ app, provider }) =>
      `Tell ${app} that you are waiting for it. You can then be told when ${provider} can be linked.`,
    ledeUnlisted: ({ app }) =>
      `It cannot be linked here yet. Tell ${app} that you are waiting for it, and you can be told when it can.`,
    fields: {
      provider: 'Name of your provider',
      contactEmail: 'Your email address',
      dotNumber: 'USDOT number of your company',
    },
    problem: 'Please check what you entered',
    wrong: {
      provider: 'Enter the name of your provider, in 100 characters at most.',
      contactEmail: 'Enter a whole email address, such as name@company.com.',
      dotNumber: 'A USDOT number has 8 digits at most, and nothing else. You can leave it out.',
    },
    passedOn: ({ app }) => `Only what you enter here is sent to ${app}. No data of your fleet is shared.`,
    submit: ({ app }) => `Tell ${app}`,
  },
  consent: {
    title: ({ app }) => `Share this data with ${app}?`,
    lede: ({ app, provider }) =>
      `From your account at ${provider}, so that ${app} can provide its service to you:`,
    shares: {
      vehicles: { name: 'Vehicles and trailers', text: 'Names, number plates, VINs and devices' },
      drivers: { name: 'Drivers', text: 'Names, contact details and licences' },
      locations: { name: 'Locations', text: 'Where the vehicles are and were' },
      trips: { name: 'Trips', text: 'Starts, ends, distances and stops' },
      hours: { name: 'Hours of service', text: 'Duty status, logs and time left' },
      safety: { name: 'Safety events', text: 'Harsh driving, speeding and camera footage' },
      faults: { name: 'Vehicle health', text: 'Fault codes, engine and fuel readings' },
      fuel_tax: { name: 'Fuel tax', text: 'Distance by state and province' },
    },
    password: ({ app, provider }) =>
      `Not shared: how you sign in to ${provider}. It is never shown to ${app}.`,
    read: 'Read the agreement',
    agreed: ({ app }) =>
      `I have read the agreement, I may act for my company, and I agree to share this data with ${app}.`,
    submit: 'Agree and link',
  },
  checking: {
    title: 'Checking your account',
    lede: ({ provider }) => `We are signing in to ${provider} and looking at what the account may read.`,
    usual: 'This usually takes a few seconds. This page goes on by itself.',
    slow: ({ provider }) =>
      `${provider} is taking longer than usual to answer. There is nothing you need to do: please keep this page open.`,
    reload: 'Look again now',
  },
  done: {
    title: 'Your fleet is linked',
    titleAgain: 'Your fleet is linked again',
    text: ({ app, provider }) =>
      `Data from ${provider} is on its way to ${app}. You have nothing more to do.`,
    textAgain: ({ app, provider }) =>
      `Data from ${provider} reaches ${app} again, with what was missed. You have nothing more to do.`,
    onward: ({ app }) => `Continue to ${app}`,
    mayClose: 'You can close this page.',
  },
  cancelled: {
    title: 'You have cancelled',
    text: ({ app }) =>
      `Nothing was shared with ${app}. If you change your mind, open the link again that brought you here.`,
    onward: ({ app }) => `Back to ${app}`,
  },
  requested: {
    title: 'Thank you, it is passed on',
    text: ({ app }) => `${app} now knows which provider you are waiting for, and how to reach you.`,
    onward: ({ app }) => `Back to ${app}`,
  },
  returned: {
    title: 'Go back to the page you came from',
    text: () => 'The page that opened this tab goes on by itself. You can close this one.',
  },
  parameter: 'What cannot be read:',
  problems: {
    incomplete: {
      title: 'Something is missing',
      text: () => 'Please fill in every field that is not marked as optional.',
    },
    wrong_credentials: {
      title: 'That sign-in did not work',
      text: ({ provider }) =>
        `${provider} did not accept what you entered. Check it for typing mistakes and try again. If it works nowhere, reset it at ${provider}.`,
    },
    wrong_server: {
      title: 'We found no server there',
      text: ({ provider }) =>
        `At the address that you entered, no ${provider} server answers. Enter the address that you see in your browser when you use ${provider}, and check it for typing mistakes. If it is right, the server may be down: please try again later.`,
    },
    code_missing: {
      title: 'One more code is needed',
      text: ({ provider }) =>
        `Two-step sign-in is on for this user. Enter the code that your authenticator app shows for ${provider} now, together with the password.`,
    },
    missing_permission: {
      title: 'This account may not see enough',
      text: ({ provider }) =>
        `The sign-in worked, but this user may not read the fleet’s data. Ask your administrator at ${provider} for that permission, or sign in as another user.`,
    },
    provider_down: {
      title: 'We cannot reach your provider',
      text: ({ provider }) =>
        `${provider} does not answer at the moment. This is not about what you entered. Please try again in a few minutes.`,
    },
    provider_slow: {
      title: 'Your provider took too long',
      text: ({ provider }) =>
        `${provider} did not answer in time. This is not about what you entered. Please try again.`,
    },
    other_account: {
      title: 'That is another account',
      text: ({ provider }) =>
        `This connection belongs to a different ${provider} account. Please sign in to the account that was linked before.`,
    },
    sign_in_cancelled: {
      title: 'The sign-in was not finished',
      text: ({ provider }) =>
        `You came back from ${provider} without giving access. Nothing was shared. Try again, and allow the access when you are asked.`,
    },
    sign_in_expired: {
      title: 'The sign-in took too long',
      text: ({ provider }) =>
        `For your safety, a sign-in at ${provider} is good for a few minutes only. Please start it again.`,
    },
    our_fault: {
      title: 'Something went wrong on our side',
      text: () => 'It is not your fault, and nothing was shared. Please try again in a few minutes.',
    },
  },
  refusals: {
    foreign_page: {
      title: 'This came from another site',
      text: ({ app }) =>
        `Another page tried to act in your name, so we stopped. Nothing was shared. Go back to ${app} and start again.`,
    },
    no_key: {
      title: 'This link is incomplete',
      text: () =>
        'Part of its address is missing. Open the link again that you were given, in full, or ask for a new one.',
    },
    unknown_key: {
      title: 'This link is not valid',
      text: () =>
        'We cannot tell who it comes from. Nothing was shared. Please ask the sender for a new one.',
    },
    bad_parameter: {
      title: 'This link has a mistake in it',
      text: ({ app }) =>
        `We cannot read part of its address. Nothing was shared. Please ask ${app} for a new link.`,
    },
    unknown_provider: {
      title: 'This provider cannot be linked',
      text: ({ app }) =>
        `The link names a provider that is not available here. Please ask ${app} for a link without it.`,
    },
    sandbox_provider: {
      title: 'This link is for tests only',
      text: ({ app }) =>
        `It leads to a provider with simulated data, which cannot be shared with ${app}. Please ask ${app} for a link to the provider of your fleet.`,
    },
    unknown_connection: {
      title: 'This connection is not there',
      text: ({ app }) =>
        `It may have been deleted. To share your fleet’s data again, please ask ${app} for a new link.`,
    },
    redirect_not_allowed: {
      title: 'This link leads to a wrong address',
      text: ({ app }) =>
        `It would send you on to a site that was not approved, so we stopped. Nothing was shared. Please ask ${app} for a new link.`,
    },
    expired: {
      title: 'This link has expired',
      text: ({ app }) =>
        `For your safety, it is good for a limited time. Go back to ${app} and start again: it takes a minute.`,
    },
    bad_state: {
      title: 'This sign-in cannot be used',
      text: ({ app }) =>
        `It was begun in another browser, or it was used already. Nothing was shared. Go back to ${app} and start again.`,
    },
    too_many: {
      title: 'Too many tries in a short time',
      text: () =>
        'For the safety of your account we make a short pause. Please wait a minute, then go back and try again.',
    },
    too_many_sign_ins: {
      title: 'Too many sign-ins have failed',
      text: ({ app }) =>
        `For the safety of your account we stopped here. Nothing was shared. Check your sign-in at your provider, then go back to ${app} and start again.`,
    },
    not_found: {
      title: 'There is nothing here',
      text: () => 'The address may be mistyped. Open the link again that you were given, in full.',
    },
    our_fault: {
      title: 'Something went wrong on our side',
      text: () => 'It is not your fault. Please try again in a few minutes.',
    },
  },
}
