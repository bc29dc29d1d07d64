import type { Texts } from './texts.ts'

export const fr: Texts = {
  language: 'Français',
  nameless: 'l’entreprise qui vous envoie ici',
  languages: 'Langue',
  skip: 'Aller au contenu',
  opensNewTab: 's’ouvre dans un nouvel onglet',
  errorInTitle: 'Erreur',
  cancel: 'Annuler',
  back: 'Retour',
  close: 'Fermer',
  retry: 'Réessayer',
  stepOf: (step, of) => `Étape ${step} sur ${of}`,
  steps: {
    choose: 'Fournisseur',
    sign_in: 'Identification',
    consent: 'Accord',
    checking: 'Vérification',
  },
  promise: {
    title: ({ app }) => `Partager les données de votre flotte avec ${app}`,
    decide: {
      name: 'Vous décidez',
      text: 'Rien n’est partagé avant que vous ayez vu de quoi il s’agit et donné votre accord.',
    },
    sealed: {
      name: 'Vos identifiants restent secrets',
      text: ({ app }) => `Ils sont conservés chiffrés et ne sont jamais montrés à ${app}.`,
    },
    stop: {
      name: 'Vous pouvez arrêter à tout moment',
      text: ({ app }) => `Dites-le à ${app}, ou retirez l’accès chez votre fournisseur.`,
    },
  },
  simulated: 'Données simulées',
  choose: {
    title: 'Choisissez votre fournisseur',
    lede: ({ app }) =>
      `Quelle marque de boîtiers équipe vos véhicules\u00a0? Les données de ce compte seront partagées avec ${app}.`,
    search: 'Trouver votre fournisseur',
    submit: 'Rechercher',
    list: 'Fournisseurs',
    unavailable: 'Pas encore disponible',
    found: (count) => (count <= 1 ? `${count} fournisseur` : `${count} fournisseurs`),
    none: (search) => `Aucun fournisseur ne s’appelle «\u00a0${search}\u00a0».`,
    noneAdvice: ({ app }) =>
      `Vérifiez l’orthographe ou essayez le nom inscrit sur le boîtier. Si votre fournisseur n’est pas dans la liste, signalez-le à ${app}.`,
    all: 'Afficher tous les fournisseurs',
    unlisted: 'Mon fournisseur n’est pas dans la liste',
  },
  signIn: {
    title: ({ provider }) => `Identifiez-vous chez ${provider}`,
    titleAgain: ({ provider }) => `Identifiez-vous à nouveau chez ${provider}`,
    lede: ({ provider }) => `Utilisez le compte de votre entreprise chez ${provider}.`,
    ledeAgain: ({ app }) =>
      `Identifiez-vous avec le même compte qu’auparavant. Si vos données ne parviennent plus à ${app}, le partage reprend.`,
    ledeAtProvider: ({ provider }) =>
      `Vous vous identifiez sur la page de votre fournisseur, ${provider}, puis revenez ici. Nous ne voyons jamais votre mot de passe.`,
    fields: {
      apiKey: 'Clé API',
      user: 'Nom d’utilisateur',
      password: 'Mot de passe',
      database: 'Base de données',
      serverUrl: 'Adresse du serveur',
      host: 'Hôte',
      code: 'Code, si la connexion en deux étapes est active',
    },
    optional: 'facultatif',
    example: (example) => `Par exemple ${example}`,
    show: 'Afficher',
    hide: 'Masquer',
    submit: 'Continuer',
    atProvider: ({ provider }) => `Continuer chez ${provider}`,
    waiting: ({ provider }) =>
      `Identifiez-vous chez ${provider} dans le nouvel onglet. Cette page continue ensuite d’elle-même.`,
    newTab: 'L’identification s’ouvre dans un nouvel onglet.',
    otherWays: 'Autres façons de vous identifier',
    ways: {
      withKey: () => 'Avec une clé API',
      withPassword: () => 'Avec nom d’utilisateur et mot de passe',
      atProvider: ({ provider }) => `Directement chez ${provider}`,
    },
    another: 'Choisir un autre fournisseur',
    sealed: ({ app }) => `Conservé chiffré. Jamais montré à ${app}.`,
  },
  request: {
    title: ({ provider }) => `${provider} ne peut pas encore être relié`,
    titleUnlisted: 'Quel fournisseur utilisez-vous\u00a0?',
    lede: ({ app, provider }) =>
      `Dites à ${app} que vous l’attendez. On pourra alors vous prévenir quand ${provider} pourra être relié.`,
    ledeUnlisted: ({ app }) =>
      `Il ne peut pas encore être relié ici. Dites à ${app} que vous l’attendez, et on pourra vous prévenir quand ce sera possible.`,
    fields: {
      provider: 'Nom de votre fournisseur',
      contactEmail: 'Votre adresse e-mail',
      dotNumber: 'Numéro USDOT de votre entreprise',
    },
    problem: 'Veuillez vérifier votre saisie',
    wrong: {
      provider: 'Saisissez le nom de votre fournisseur, en 100 caractères au plus.',
      contactEmail: 'Saisissez une adresse e-mail entière, par exemple nom@entreprise.fr.',
      dotNumber: 'Un numéro USDOT a 8 chiffres au plus, et rien d’autre. Vous pouvez ne pas l’indiquer.',
    },
    passedOn: ({ app }) =>
      `Seul ce qui est saisi ici est transmis à ${app}. Aucune donnée de votre flotte n’est partagée.`,
    submit: ({ app }) => `Prévenir ${app}`,
  },
  consent: {
    title: ({ app }) => `Partager ces données avec ${app}\u00a0?`,
    lede: ({ app, provider }) =>
      `Elles viennent de votre compte chez ${provider} et permettent à ${app} de vous fournir son service\u00a0:`,
    shares: {
      vehicles: { name: 'Véhicules et remorques', text: 'Noms, plaques, numéros VIN et boîtiers' },
      drivers: { name: 'Conducteurs', text: 'Noms, coordonnées et permis' },
      locations: { name: 'Positions', text: 'Où sont et où étaient les véhicules' },
      trips: { name: 'Trajets', text: 'Départs, arrivées, distances et arrêts' },
      hours: { name: 'Temps de service', text: 'Statuts, relevés et temps restant' },
      safety: {
        name: 'Événements de sécurité',
        text: 'Conduite brusque, excès de vitesse et images des caméras',
      },
      faults: { name: 'État des véhicules', text: 'Codes de panne, mesures du moteur et du carburant' },
      fuel_tax: { name: 'Taxe sur les carburants', text: 'Distances par État et province' },
    },
    password: ({ app, provider }) =>
      `Non partagé\u00a0: vos identifiants chez ${provider}. Ils ne sont jamais montrés à ${app}.`,
    read: 'Lire l’accord',
    agreed: ({ app }) =>
      `J’ai lu l’accord, je suis en droit d’engager mon entreprise et j’accepte de partager ces données avec ${app}.`,
    submit: 'Accepter et relier',
  },
  checking: {
    title: 'Vérification de votre compte',
    lede: ({ provider }) =>
      `Nous nous connectons chez ${provider} et regardons ce que le compte permet de lire.`,
    usual: 'Cela prend en général quelques secondes. Cette page continue d’elle-même.',
    slow: ({ provider }) =>
      `${provider} met plus de temps que d’habitude à répondre. Vous n’avez rien à faire\u00a0: gardez simplement cette page ouverte.`,
    reload: 'Regarder à nouveau',
  },
  done: {
    title: 'Votre flotte est reliée',
    titleAgain: 'Votre flotte est à nouveau reliée',
    text: ({ app, provider }) =>
      `Les données en provenance de votre compte ${provider} sont en route vers ${app}. Vous n’avez plus rien à faire.`,
    textAgain: ({ app, provider }) =>
      `Les données de votre compte ${provider} parviennent à nouveau à ${app}, y compris celles qui manquaient. Vous n’avez plus rien à faire.`,
    onward: ({ app }) => `Continuer vers ${app}`,
    mayClose: 'Vous pouvez fermer cette page.',
  },
  cancelled: {
    title: 'Vous avez annulé',
    text: ({ app }) =>
      `Rien n’a été partagé avec ${app}. Si vous changez d’avis, ouvrez à nouveau le lien qui vous a mené ici.`,
    onward: ({ app }) => `Retourner chez ${app}`,
  },
  requested: {
    title: 'Merci, c’est transmis',
    text: ({ app }) => `${app} sait maintenant quel fournisseur vous attendez et comment vous joindre.`,
    onward: ({ app }) => `Retourner chez ${app}`,
  },
  returned: {
    title: 'Retournez à la page d’où vous venez',
    text: () => 'La page qui a ouvert cet onglet continue d’elle-même. Vous pouvez fermer celui-ci.',
  },
  parameter: 'Ce qui est illisible\u00a0:',
  problems: {
    incomplete: {
      title: 'Il manque quelque chose',
      text: () => 'Veuillez remplir tous les champs qui ne sont pas marqués comme facultatifs.',
    },
    wrong_credentials: {
      title: 'L’identification a échoué',
      text: ({ provider }) =>
        `Votre saisie n’a pas été acceptée chez ${provider}. Vérifiez les fautes de frappe et réessayez. Si cela ne marche nulle part, réinitialisez vos identifiants chez ${provider}.`,
    },
    wrong_server: {
      title: 'Aucun serveur à cette adresse',
      text: ({ provider }) =>
        `À l’adresse que vous avez saisie, aucun serveur ${provider} ne répond. Saisissez l’adresse que votre navigateur affiche lorsque vous utilisez ${provider} et vérifiez les fautes de frappe. Si elle est exacte, le serveur est peut-être en panne : réessayez plus tard.`,
    },
    code_missing: {
      title: 'Il manque un code',
      text: ({ provider }) =>
        `L’identification en deux étapes est activée pour cet utilisateur. Saisissez, avec le mot de passe, le code que votre application d’authentification affiche maintenant pour ${provider}.`,
    },
    missing_permission: {
      title: 'Ce compte n’a pas assez de droits',
      text: ({ provider }) =>
        `L’identification a réussi, mais cet utilisateur ne peut pas lire les données de la flotte. Demandez ce droit à l’administrateur de votre compte ${provider}, ou identifiez-vous avec un autre utilisateur.`,
    },
    provider_down: {
      title: 'Votre fournisseur est injoignable',
      text: ({ provider }) =>
        `${provider} ne répond pas en ce moment. Votre saisie n’est pas en cause. Veuillez réessayer dans quelques minutes.`,
    },
    provider_slow: {
      title: 'Votre fournisseur a mis trop de temps',
      text: ({ provider }) =>
        `${provider} n’a pas répondu à temps. Votre saisie n’est pas en cause. Veuillez réessayer.`,
    },
    other_account: {
      title: 'C’est un autre compte',
      text: ({ provider }) =>
        `Cette liaison appartient à un autre compte ${provider}. Veuillez vous identifier avec le compte qui était relié auparavant.`,
    },
    sign_in_cancelled: {
      title: 'L’identification n’a pas été terminée',
      text: ({ provider }) =>
        `Vous êtes revenu ici sans autoriser l’accès chez ${provider}. Rien n’a été partagé. Réessayez, et autorisez l’accès quand on vous le demande.`,
    },
    sign_in_expired: {
      title: 'L’identification a pris trop de temps',
      text: ({ provider }) =>
        `Pour votre sécurité, une identification chez ${provider} n’est valable que quelques minutes. Veuillez la recommencer.`,
    },
    our_fault: {
      title: 'Une erreur s’est produite chez nous',
      text: () =>
        'Vous n’y êtes pour rien, et rien n’a été partagé. Veuillez réessayer dans quelques minutes.',
    },
  },
  refusals: {
    foreign_page: {
      title: 'Cela vient d’un autre site',
      text: ({ app }) =>
        `Une autre page a voulu agir en votre nom\u00a0; nous l’avons arrêtée. Rien n’a été partagé. Adressez-vous à ${app} et recommencez.`,
    },
    no_key: {
      title: 'Ce lien est incomplet',
      text: () =>
        'Une partie de son adresse manque. Ouvrez à nouveau, en entier, le lien que vous avez reçu, ou demandez-en un nouveau.',
    },
    unknown_key: {
      title: 'Ce lien n’est pas valable',
      text: () =>
        'Nous ne pouvons pas dire d’où il vient. Rien n’a été partagé. Demandez un nouveau lien à la personne qui vous l’a envoyé.',
    },
    bad_parameter: {
      title: 'Ce lien contient une erreur',
      text: ({ app }) =>
        `Une partie de son adresse est illisible. Rien n’a été partagé. Demandez un nouveau lien à ${app}.`,
    },
    unknown_provider: {
      title: 'Ce fournisseur ne peut pas être relié',
      text: ({ app }) =>
        `Le lien désigne un fournisseur qui n’est pas disponible ici. Demandez à ${app} un lien sans ce fournisseur.`,
    },
    sandbox_provider: {
      title: 'Ce lien ne sert qu’aux essais',
      text: ({ app }) =>
        `Il mène à un fournisseur dont les données sont simulées et ne peuvent pas être partagées avec ${app}. Demandez à ${app} un lien vers le fournisseur de votre flotte.`,
    },
    unknown_connection: {
      title: 'Cette liaison n’existe pas',
      text: ({ app }) =>
        `Elle a peut-être été supprimée. Pour partager à nouveau les données de votre flotte, demandez un nouveau lien à ${app}.`,
    },
    redirect_not_allowed: {
      title: 'Ce lien mène à une mauvaise adresse',
      text: ({ app }) =>
        `Il vous enverrait vers un site qui n’a pas été approuvé\u00a0; nous nous sommes donc arrêtés. Rien n’a été partagé. Demandez un nouveau lien à ${app}.`,
    },
    expired: {
      title: 'Ce lien a expiré',
      text: ({ app }) =>
        `Pour votre sécurité, il n’est valable qu’un temps. Retournez chez ${app} et recommencez\u00a0: cela prend une minute.`,
    },
    bad_state: {
      title: 'Cette identification ne peut pas servir',
      text: ({ app }) =>
        `Elle a été commencée dans un autre navigateur, ou elle a déjà servi. Rien n’a été partagé. Retournez chez ${app} et recommencez.`,
    },
    too_many: {
      title: 'Trop d’essais en peu de temps',
      text: () =>
        'Pour la sécurité de votre compte, nous faisons une courte pause. Veuillez attendre une minute, puis revenir en arrière et réessayer.',
    },
    too_many_sign_ins: {
      title: 'Trop d’identifications ont échoué',
      text: ({ app }) =>
        `Pour la sécurité de votre compte, nous nous sommes arrêtés ici. Rien n’a été partagé. Vérifiez vos identifiants chez votre fournisseur, puis retournez chez ${app} et recommencez.`,
    },
    not_found: {
      title: 'Il n’y a rien ici',
      text: () =>
        'L’adresse est peut-être mal saisie. Ouvrez à nouveau, en entier, le lien que vous avez reçu.',
    },
    our_fault: {
      title: 'Une erreur s’est produite chez nous',
      text: () => 'Vous n’y êtes pour rien. Veuillez réessayer dans quelques minutes.',
    },
  },
}
