// Each lesson's Python: whether it is there, which lesson it runs, and how long a cell has been running.
const LONG = 6; // seconds
const STARTS = ["starting", "restarting", "autorestarting", "initializing", "unknown", "connecting"];
const RUNNING = "This cell has been running for";

const notebooks = (app) => [...app.shell.widgets("main")].filter((widget) => widget.sessionContext && widget.context);

// Tells Python which notebook a cell stands in, as a server does where there is one.
const tellNotebook = ({ sessionContext, context }) => {
  const kernel = sessionContext.session?.kernel;
  if (!kernel || kernel.tellsNotebook) return;
  const ask = kernel.requestExecute.bind(kernel);
  kernel.requestExecute = (content, dispose, metadata) => ask(content, dispose, { ...metadata, notebook: context.path });
  kernel.tellsNotebook = true;
};

const restart = (panel) => async () => {
  await panel.context.save();
  await panel.sessionContext.session.kernel.restart();
};

const watch = (panel, bar, seen) => {
  let since = 0;
  let wasTold = false;
  const look = () => {
    const { kernelDisplayStatus: status } = panel.sessionContext;
    tellNotebook(panel);
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
  const watched = new WeakSet();
  await new Promise((done) => {
    const seen = () => done(bar.ready());
    let isFirst = true;
    const lookForNew = () => {
      for (const panel of notebooks(app).filter((each) => !watched.has(each))) {
        watched.add(panel);
        watch(panel, bar, () => isFirst && seen((isFirst = false)));
      }
    };
    app.shell.layoutModified?.connect(lookForNew);
    app.shell.currentChanged?.connect(lookForNew);
    lookForNew();
  });
}
