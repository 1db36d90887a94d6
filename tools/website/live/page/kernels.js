// Each lesson's Python: whether it is there, which lesson it runs, and how long a cell has been running.
const LONG = 6; // seconds
const STARTS = ["starting", "restarting", "autorestarting", "initializing", "unknown", "connecting"];
const RUNNING = "This cell has been running for";

export const notebooks = (app) => [...app.shell.widgets("main")].filter((widget) => widget.sessionContext && widget.context);

// Does something with each notebook: now, or when it is opened.
const withEachNotebook = (app, act) => {
  const known = new WeakSet();
  const look = () => {
    for (const panel of notebooks(app).filter((each) => !known.has(each))) {
      known.add(panel);
      act(panel);
    }
  };
  app.shell.layoutModified?.connect(look);
  app.shell.currentChanged?.connect(look);
  look();
};

// Tells Python which notebook a cell stands in, as a server does where there is one.
const tellNotebook = ({ sessionContext, context }) => {
  const kernel = sessionContext.session?.kernel;
  if (!kernel || kernel.tellsNotebook) return;
  const ask = kernel.requestExecute.bind(kernel);
  kernel.requestExecute = (content, dispose, metadata) => ask(content, dispose, { ...metadata, notebook: context.path });
  kernel.tellsNotebook = true;
};

// From the first cell on, however early it is run.
export function tellNotebooks(app) {
  withEachNotebook(app, (panel) => {
    panel.sessionContext.kernelChanged.connect(() => tellNotebook(panel));
    tellNotebook(panel);
  });
}

const restart = (panel) => async () => {
  await panel.context.save().catch(() => {}); // no room, say: Python is ended all the same
  await panel.sessionContext.session.kernel.restart();
};

const watch = (panel, bar, seen) => {
  let since = 0;
  let wasTold = false;
  const look = () => {
    const { kernelDisplayStatus: status } = panel.sessionContext;
    if (status === "busy") since ||= Date.now();
    else since = 0;
    if (status === "idle") seen();
    const seconds = since && Math.round((Date.now() - since) / 1000);
    if (seconds >= LONG) {
      bar.say(`${RUNNING} ${seconds} s. It may end by itself. What you wrote stays if you stop it:`, "Restart Python", restart(panel));
      wasTold = true;
    } else if (STARTS.includes(status)) {
      bar.starting();
      wasTold = true;
    } else if (wasTold) {
      wasTold = false;
      bar.ready();
    }
  };
  const timer = setInterval(look, 1000);
  panel.sessionContext.statusChanged.connect(look);
  panel.disposed.connect(() => clearInterval(timer));
  look();
};

// Returns when the first Python is ready.
export async function watchKernels(app, bar) {
  await new Promise((done) => withEachNotebook(app, (panel) => watch(panel, bar, done)));
  bar.ready();
}
