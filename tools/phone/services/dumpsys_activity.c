/* dumpsys activity: the tasks, their activities, and the processes. */
#include <string.h>

#include "tools/phone/services/dumpsys.h"

static void print_task(const struct dumpsys *dump, const struct task_info *task,
                       bool visible)
{
    char name[COMPONENT_TEXT_SIZE];

    component_short(&task->component, name);
    buf_printf(dump->text, "Task{%07x #%d type=%s ",
               dumpsys_number(task->component.package, task->id), task->id,
               task->home ? "home" : "standard");
    if (task->home)
        buf_printf(dump->text, "I=%s ", name);
    else
        buf_printf(dump->text, "A=%u:%s ", (unsigned)task->uid,
                   task->component.package);
    buf_printf(dump->text,
               "U=0 visible=%s visibleRequested=%s mode=fullscreen "
               "translucent=%s sz=1}",
               visible ? "true" : "false", visible ? "true" : "false",
               visible ? "false" : "true");
}

static void print_process_name(const struct dumpsys *dump,
                               const struct task_info *task)
{
    buf_printf(dump->text, "ProcessRecord{%07x %u:%s/",
               dumpsys_number(task->component.package, 0), task->pid,
               task->component.package);
    if (task->uid >= 10000)
        buf_printf(dump->text, "u0a%u}", (unsigned)task->uid - 10000U);
    else
        buf_printf(dump->text, "%u}", (unsigned)task->uid);
}

static void print_history(const struct dumpsys *dump,
                          const struct task_info *task, bool visible)
{
    char name[COMPONENT_TEXT_SIZE];

    component_short(&task->component, name);
    buf_text(dump->text, "    * Hist  #0: ");
    dumpsys_activity_record(dump, task);
    buf_printf(dump->text, "\n      packageName=%s processName=%s\n      app=",
               task->component.package, task->component.package);
    print_process_name(dump, task);
    buf_printf(dump->text,
               "\n      Intent { act=android.intent.action.MAIN cat=[%s] "
               "flg=0x10200000 cmp=%s }\n      rootOfTask=true task=",
               task->home ? INTENT_HOME : INTENT_LAUNCHER, name);
    print_task(dump, task, visible);
    buf_printf(dump->text,
               "\n      taskAffinity=%u:%s\n      mActivityComponent=%s\n"
               "      dataDir=/data/user/0/%s\n"
               "      state=%s finishing=false\n"
               "      mVisibleRequested=%s mVisible=%s mClientVisible=%s "
               "reportedDrawn=%s reportedVisible=%s\n",
               (unsigned)task->uid, task->component.package, name,
               task->component.package, visible ? "RESUMED" : "STOPPED",
               visible ? "true" : "false", visible ? "true" : "false",
               visible ? "true" : "false", visible ? "true" : "false",
               visible ? "true" : "false");
}

static void print_activities(const struct dumpsys *dump)
{
    struct task_info tasks[TASK_STACK_TASKS_MAX];
    size_t count =
        task_stack_tasks(dump->phone->task_stack, tasks, TASK_STACK_TASKS_MAX);
    struct task_info front = task_stack_front(dump->phone->task_stack);
    bool asleep = task_stack_is_asleep(dump->phone->task_stack);

    buf_text(dump->text,
             "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n"
             "Display #0 (activities from top to bottom):\n");
    for (size_t i = 0; i < count; i++) {
        bool visible = tasks[i].id == front.id && !asleep;

        buf_text(dump->text, "  * ");
        print_task(dump, &tasks[i], visible);
        buf_printf(dump->text, "\n    isSleeping=%s\n",
                   asleep ? "true" : "false");
        if (visible) {
            buf_text(dump->text, "    topResumedActivity=");
            dumpsys_activity_record(dump, &tasks[i]);
            buf_byte(dump->text, '\n');
        }
        print_history(dump, &tasks[i], visible);
        buf_byte(dump->text, '\n');
    }
    if (!asleep) {
        buf_text(dump->text, "  Resumed activities in task display areas (from "
                             "top to bottom):\n    Resumed: ");
        dumpsys_activity_record(dump, &front);
        buf_text(dump->text, "\n\n  ResumedActivity: ");
        dumpsys_activity_record(dump, &front);
        buf_byte(dump->text, '\n');
    }
    buf_text(dump->text, "\nActivityTaskSupervisor state:\n"
                         "  topDisplayFocusedRootTask=");
    print_task(dump, &front, !asleep);
    buf_text(dump->text, "\n  mFocusedApp=");
    dumpsys_activity_record(dump, &front);
    buf_byte(dump->text, '\n');
}

static void print_top(const struct dumpsys *dump)
{
    struct task_info front = task_stack_front(dump->phone->task_stack);
    char name[COMPONENT_TEXT_SIZE];

    component_short(&front.component, name);
    buf_printf(dump->text,
               "TASK %u:%s id=%d userId=0\n"
               "  ACTIVITY %s %07x pid=%u\n"
               "    Local FragmentActivity %07x State:\n"
               "      mCreated=true mResumed=true mStopped=false\n",
               (unsigned)front.uid, front.component.package, front.id, name,
               dumpsys_number(name, front.id), front.pid,
               dumpsys_number(name, 9));
}

static void print_recents(const struct dumpsys *dump)
{
    struct task_info tasks[TASK_STACK_TASKS_MAX];
    size_t count =
        task_stack_tasks(dump->phone->task_stack, tasks, TASK_STACK_TASKS_MAX);
    char name[COMPONENT_TEXT_SIZE];
    int number = 0;

    buf_text(dump->text,
             "ACTIVITY MANAGER RECENT TASKS (dumpsys activity recents)\n"
             "mRecentsUid=10072\n  Recent tasks:\n");
    for (size_t i = 0; i < count; i++) {
        if (tasks[i].home)
            continue;
        buf_printf(dump->text, "  * Recent #%d: ", number++);
        print_task(dump, &tasks[i], i == 0);
        buf_printf(dump->text,
                   "\n    userId=0 effectiveUid=%u mCallingUid=2000\n"
                   "    affinity=%u:%s\n    mActivityComponent=%s\n",
                   (unsigned)tasks[i].uid, (unsigned)tasks[i].uid,
                   tasks[i].component.package,
                   component_short(&tasks[i].component, name));
    }
}

static void print_processes(const struct dumpsys *dump)
{
    struct phone_process process = {.pid = 0};
    int number = 0;

    buf_text(dump->text, "ACTIVITY MANAGER LRU PROCESSES (dumpsys activity "
                         "lru)\n");
    while (processes_next(&dump->phone->handset->processes, process.pid + 1,
                          &process)) {
        if (strchr(process.name, '.'))
            buf_printf(dump->text, "  #%2d: cch    %u:%s/%s\n", number++,
                       process.pid, process.name, process.user);
    }
}

/* The running service is the keyboard's; of a package, or of all. */
static void print_services(const struct dumpsys *dump)
{
    const char *package = dump->count > 1 ? dump->words[1] : NULL;
    struct buf id = BUF_INIT(STRING_MAP_VALUE_MAX);
    struct phone_component service;
    char name[COMPONENT_TEXT_SIZE];

    buf_text(dump->text,
             "ACTIVITY MANAGER SERVICES (dumpsys activity services)\n");
    (void)!settings_get(&dump->phone->handset->settings, SETTINGS_SECURE,
                        "default_input_method", &id);
    if (component_parse(buf_cstr(&id), &service) &&
        (!package || !strcmp(package, service.package)))
        buf_printf(dump->text,
                   "  User 0 active services:\n"
                   "  * ServiceRecord{%07x u0 %s}\n"
                   "    intent={act=android.view.InputMethod cmp=%s}\n"
                   "    packageName=%s\n    processName=%s\n",
                   dumpsys_number(service.class, 0),
                   component_short(&service, name), name, service.package,
                   service.package);
    else
        buf_text(dump->text, "  (nothing)\n");
    buf_release(&id);
}

void dumpsys_activity(struct dumpsys *dump)
{
    if (dumpsys_wants(dump, "recents") || dumpsys_wants(dump, "r"))
        print_recents(dump);
    if (dumpsys_wants(dump, "activities") || dumpsys_wants(dump, "a"))
        print_activities(dump);
    if (dumpsys_wants(dump, "processes") || dumpsys_wants(dump, "p") ||
        dumpsys_wants(dump, "lru"))
        print_processes(dump);
    if (dump->count && !strcmp(dump->words[0], "top"))
        print_top(dump);
    if (dump->count && !strcmp(dump->words[0], "services"))
        print_services(dump);
}
