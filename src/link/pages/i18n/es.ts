import type { Texts } from './texts.ts'

export const es: Texts = {
  language: 'Español',
  nameless: 'la empresa que le envía aquí',
  languages: 'Idioma',
  skip: 'Ir al contenido',
  opensNewTab: 'se abre en una pestaña nueva',
  errorInTitle: 'Error',
  cancel: 'Cancelar',
  back: 'Atrás',
  close: 'Cerrar',
  retry: 'Intentar de nuevo',
  stepOf: (step, of) => `Paso ${step} de ${of}`,
  steps: { choose: 'Proveedor', sign_in: 'Acceso', consent: 'Acuerdo', checking: 'Verificación' },
  promise: {
    title: ({ app }) => `Compartir los datos de su flota con ${app}`,
    decide: {
      name: 'Usted decide',
      text: 'No se comparte nada hasta que usted haya visto de qué se trata y lo haya aceptado.',
    },
    sealed: {
      name: 'Sus datos de acceso son secretos',
      text: ({ app }) => `Se guardan cifrados y nunca se muestran a ${app}.`,
    },
    stop: {
      name: 'Puede dejarlo en cualquier momento',
      text: ({ app }) => `Comuníquelo a ${app} o retire el acceso en su proveedor.`,
    },
  },
  simulated: 'Datos simulados',
  choose: {
    title: 'Elija su proveedor',
    lede: ({ app }) =>
      `¿De qué marca son los dispositivos de sus vehículos? Los datos de esa cuenta se compartirán con ${app}.`,
    search: 'Buscar su proveedor',
    submit: 'Buscar',
    list: 'Proveedores',
    unavailable: 'Aún no disponible',
    found: (count) => (count === 1 ? '1 proveedor' : `${count} proveedores`),
    none: (search) => `Ningún proveedor se llama «${search}».`,
    noneAdvice: ({ app }) =>
      `Compruebe la ortografía o pruebe con el nombre que figura en el dispositivo. Si su proveedor no está en la lista, comuníquelo a ${app}.`,
    all: 'Mostrar todos los proveedores',
    unlisted: 'Mi proveedor no está en la lista',
  },
  signIn: {
    title: ({ provider }) => `Acceda a ${provider}`,
    titleAgain: ({ provider }) => `Acceda de nuevo a ${provider}`,
    lede: ({ provider }) => `Utilice la cuenta que su empresa tiene en ${provider}.`,
    ledeAgain: ({ app }) =>
      `Acceda con la misma cuenta que antes. Si sus datos ya no llegan a ${app}, volverán a llegar.`,
    ledeAtProvider: ({ provider }) =>
      `Usted accede en la página propia de ${provider} y después vuelve aquí. Nosotros nunca vemos su contraseña.`,
    fields: {
      apiKey: 'Clave API',
      user: 'Nombre de usuario',
      password: 'Contraseña',
      database: 'Base de datos',
      serverUrl: 'Dirección del servidor',
      host: 'Host',
      code: 'Código, si la verificación en dos pasos está activa',
    },
    optional: 'opcional',
    example: (example) => `Por ejemplo, ${example}`,
    show: 'Mostrar',
    hide: 'Ocultar',
    submit: 'Continuar',
    atProvider: ({ provider }) => `Continuar en ${provider}`,
    waiting: ({ provider }) =>
      `Acceda a ${provider} en la pestaña nueva. Después, esta página continúa por sí sola.`,
    newTab: 'El acceso se abre en una pestaña nueva.',
    otherWays: 'Otras formas de acceder',
    ways: {
      withKey: () => 'Con una clave API',
      withPassword: () => 'Con nombre de usuario y contraseña',
      atProvider: ({ provider }) => `En la página de ${provider}`,
    },
    another: 'Elegir otro proveedor',
    sealed: ({ app }) => `Se guarda cifrado. Nunca se muestra a ${app}.`,
  },
  request: {
    title: ({ provider }) => `${provider} todavía no se puede vincular`,
    titleUnlisted: '¿Qué proveedor utiliza?',
    lede: ({ app, provider }) =>
      `Diga a ${app} que lo está esperando. Así le podrán avisar cuando se pueda vincular ${provider}.`,
    ledeUnlisted: ({ app }) =>
      `Aquí todavía no se puede vincular. Diga a ${app} que lo está esperando, y le podrán avisar cuando se pueda.`,
    fields: {
      provider: 'Nombre de su proveedor',
      contactEmail: 'Su correo electrónico',
      dotNumber: 'Número USDOT de su empresa',
    },
    problem: 'Revise lo que ha escrito',
    wrong: {
      provider: 'Escriba el nombre de su proveedor, con 100 caracteres como máximo.',
      contactEmail: 'Escriba un correo electrónico completo, por ejemplo nombre@empresa.com.',
      dotNumber: 'Un número USDOT tiene 8 cifras como máximo y nada más. Puede omitirlo.',
    },
    passedOn: ({ app }) =>
      `A ${app} se le comunica solo lo que escriba aquí. No se comparte ningún dato de su flota.`,
    submit: ({ app }) => `Avisar a ${app}`,
  },
  consent: {
    title: ({ app }) => `¿Compartir estos datos con ${app}?`,
    lede: ({ app, provider }) =>
      `Proceden de su cuenta en ${provider} y permiten que ${app} le preste su servicio:`,
    shares: {
      vehicles: { name: 'Vehículos y remolques', text: 'Nombres, matrículas, números VIN y dispositivos' },
      drivers: { name: 'Conductores', text: 'Nombres, datos de contacto y licencias' },
      locations: { name: 'Ubicaciones', text: 'Dónde están y dónde estuvieron los vehículos' },
      trips: { name: 'Viajes', text: 'Salidas, llegadas, distancias y paradas' },
      hours: { name: 'Horas de servicio', text: 'Estado, registros y tiempo restante' },
      safety: {
        name: 'Eventos de seguridad',
        text: 'Conducción brusca, excesos de velocidad e imágenes de cámara',
      },
      faults: { name: 'Estado de los vehículos', text: 'Códigos de avería, lecturas de motor y combustible' },
      fuel_tax: {
        name: 'Impuesto sobre el combustible',
        text: 'Distancia por estado y provincia',
      },
    },
    password: ({ app, provider }) =>
      `No se comparte: sus datos de acceso a ${provider}. Nunca se muestran a ${app}.`,
    read: 'Leer el acuerdo',
    agreed: ({ app }) =>
      `He leído el acuerdo, puedo actuar en nombre de mi empresa y acepto compartir estos datos con ${app}.`,
    submit: 'Aceptar y vincular',
  },
  checking: {
    title: 'Verificando su cuenta',
    lede: ({ provider }) => `Estamos accediendo a ${provider} y viendo qué permite leer la cuenta.`,
    usual: 'Suele tardar unos segundos. Esta página continúa por sí sola.',
    slow: ({ provider }) =>
      `${provider} tarda más de lo habitual en responder. No tiene que hacer nada: mantenga abierta esta página.`,
    reload: 'Comprobar de nuevo ahora',
  },
  done: {
    title: 'Su flota está vinculada',
    titleAgain: 'Su flota vuelve a estar vinculada',
    text: ({ app, provider }) =>
      `Los datos de ${provider} ya van camino de ${app}. No tiene que hacer nada más.`,
    textAgain: ({ app, provider }) =>
      `Los datos de ${provider} vuelven a llegar a ${app}, también los que faltaban. No tiene que hacer nada más.`,
    onward: ({ app }) => `Continuar a ${app}`,
    mayClose: 'Puede cerrar esta página.',
  },
  cancelled: {
    title: 'Ha cancelado',
    text: ({ app }) =>
      `No se ha compartido nada con ${app}. Si cambia de opinión, abra de nuevo el enlace que le trajo aquí.`,
    onward: ({ app }) => `Volver a ${app}`,
  },
  requested: {
    title: 'Gracias, ya está comunicado',
    text: ({ app }) => `${app} ya sabe qué proveedor espera usted y cómo contactarle.`,
    onward: ({ app }) => `Volver a ${app}`,
  },
  returned: {
    title: 'Vuelva a la página de la que viene',
    text: () => 'La página que abrió esta pestaña continúa por sí sola. Puede cerrar esta.',
  },
  parameter: 'Lo que no se puede leer:',
  problems: {
    incomplete: {
      title: 'Falta algo',
      text: () => 'Rellene todos los campos que no estén marcados como opcionales.',
    },
    wrong_credentials: {
      title: 'No se ha podido acceder',
      text: ({ provider }) =>
        `${provider} no ha aceptado lo que usted ha introducido. Compruebe si hay errores de escritura e inténtelo de nuevo. Si no funciona en ningún sitio, restablézcalo en ${provider}.`,
    },
    wrong_server: {
      title: 'No hay ningún servidor en esa dirección',
      text: ({ provider }) =>
        `En la dirección que usted ha introducido no responde ningún servidor de ${provider}. Introduzca la dirección que ve en su navegador cuando usa ${provider} y compruebe si hay errores de escritura. Si es correcta, puede que el servidor no funcione en este momento: inténtelo de nuevo más tarde.`,
    },
    code_missing: {
      title: 'Falta un código',
      text: ({ provider }) =>
        `Este usuario tiene activada la verificación en dos pasos. Introduzca, junto con la contraseña, el código que su aplicación de autenticación muestra ahora para ${provider}.`,
    },
    missing_permission: {
      title: 'Esta cuenta no tiene permisos suficientes',
      text: ({ provider }) =>
        `El acceso ha funcionado, pero este usuario no puede leer los datos de la flota. Pida ese permiso a quien administra su cuenta de ${provider} o acceda con otro usuario.`,
    },
    provider_down: {
      title: 'No podemos contactar con su proveedor',
      text: ({ provider }) =>
        `${provider} no responde en este momento. Lo que ha introducido no es la causa. Inténtelo de nuevo dentro de unos minutos.`,
    },
    provider_slow: {
      title: 'Su proveedor ha tardado demasiado',
      text: ({ provider }) =>
        `${provider} no ha respondido a tiempo. Lo que ha introducido no es la causa. Inténtelo de nuevo.`,
    },
    other_account: {
      title: 'Esta es otra cuenta',
      text: ({ provider }) =>
        `Esta conexión pertenece a otra cuenta de ${provider}. Acceda a la cuenta que estaba vinculada antes.`,
    },
    sign_in_cancelled: {
      title: 'El acceso no se ha completado',
      text: ({ provider }) =>
        `Ha vuelto de ${provider} sin dar acceso. No se ha compartido nada. Inténtelo de nuevo y permita el acceso cuando se le pregunte.`,
    },
    sign_in_expired: {
      title: 'El acceso ha tardado demasiado',
      text: ({ provider }) =>
        `Por su seguridad, el acceso a ${provider} solo es válido durante unos minutos. Vuelva a iniciarlo.`,
    },
    our_fault: {
      title: 'Algo ha fallado por nuestra parte',
      text: () => 'No es culpa suya y no se ha compartido nada. Inténtelo de nuevo dentro de unos minutos.',
    },
  },
  refusals: {
    foreign_page: {
      title: 'Esto viene de otro sitio',
      text: ({ app }) =>
        `Otra página ha intentado actuar en su nombre y la hemos detenido. No se ha compartido nada. Vuelva a ${app} y empiece de nuevo.`,
    },
    no_key: {
      title: 'Este enlace está incompleto',
      text: () =>
        'Falta parte de su dirección. Abra de nuevo, entero, el enlace que recibió o pida uno nuevo.',
    },
    unknown_key: {
      title: 'Este enlace no es válido',
      text: () =>
        'No podemos saber de quién viene. No se ha compartido nada. Pida uno nuevo a quien se lo envió.',
    },
    bad_parameter: {
      title: 'Este enlace contiene un error',
      text: ({ app }) =>
        `No podemos leer parte de su dirección. No se ha compartido nada. Pida un enlace nuevo a ${app}.`,
    },
    unknown_provider: {
      title: 'Este proveedor no se puede vincular',
      text: ({ app }) =>
        `El enlace nombra un proveedor que no está disponible aquí. Pida a ${app} un enlace sin él.`,
    },
    sandbox_provider: {
      title: 'Este enlace es solo para pruebas',
      text: ({ app }) =>
        `Lleva a un proveedor con datos simulados, que no se pueden compartir con ${app}. Pida a ${app} un enlace al proveedor de su flota.`,
    },
    unknown_connection: {
      title: 'Esta conexión no existe',
      text: ({ app }) =>
        `Puede que se haya eliminado. Para volver a compartir los datos de su flota, pida un enlace nuevo a ${app}.`,
    },
    redirect_not_allowed: {
      title: 'Este enlace lleva a una dirección equivocada',
      text: ({ app }) =>
        `Le enviaría a un sitio que no está aprobado, así que nos hemos detenido. No se ha compartido nada. Pida un enlace nuevo a ${app}.`,
    },
    expired: {
      title: 'Este enlace ha caducado',
      text: ({ app }) =>
        `Por su seguridad, solo es válido durante un tiempo. Vuelva a ${app} y empiece de nuevo: se tarda un minuto.`,
    },
    bad_state: {
      title: 'Este acceso no se puede usar',
      text: ({ app }) =>
        `Se inició en otro navegador o ya se ha utilizado. No se ha compartido nada. Vuelva a ${app} y empiece de nuevo.`,
    },
    too_many: {
      title: 'Demasiados intentos en poco tiempo',
      text: () =>
        'Por la seguridad de su cuenta hacemos una breve pausa. Espere un minuto, vuelva atrás e inténtelo de nuevo.',
    },
    too_many_sign_ins: {
      title: 'Han fallado demasiados accesos',
      text: ({ app }) =>
        `Por la seguridad de su cuenta nos hemos detenido aquí. No se ha compartido nada. Compruebe sus datos de acceso en su proveedor, vuelva a ${app} y empiece de nuevo.`,
    },
    not_found: {
      title: 'Aquí no hay nada',
      text: () => 'Puede que la dirección esté mal escrita. Abra de nuevo, entero, el enlace que recibió.',
    },
    our_fault: {
      title: 'Algo ha fallado por nuestra parte',
      text: () => 'No es culpa suya. Inténtelo de nuevo dentro de unos minutos.',
    },
  },
}
