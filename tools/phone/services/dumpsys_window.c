/* dumpsys window and dumpsys display. */

#include "tools/phone/screen/display_configuration.h"
#include "tools/phone/screen/system_bars.h"
#include "tools/phone/services/dumpsys.h"

#define SYSTEM_UI_UID 10068

/* ---- windows ---- */

struct window {
    const char *name;
    const char *package;
    const char *type;
    unsigned uid;
    unsigned pid;
    int layer;
    bool visible;
    struct box frame;
};

static void print_box(struct buf *text, const char *name, struct box box)
{
    buf_printf(text, "%s=[%d,%d][%d,%d]", name, box.left, box.top, box.right,
               box.bottom);
}

static void print_frames(const struct dumpsys *dump,
                         const struct window *window, struct phone_size size)
{
    struct box whole = {0, 0, size.width, size.height};

    buf_text(dump->text, "    Frames: ");
    print_box(dump->text, "parent", whole);
    print_box(dump->text, " display", whole);
    print_box(dump->text, " frame", window->frame);
    print_box(dump->text, " last", window->frame);
    buf_text(dump->text, " insetsChanged=false\n     surface=[0,0][0,0]\n");
}

static void print_window(const struct dumpsys *dump, int number,
                         const struct window *window)
{
    struct screen_display display = screen_display(dump->phone->screen);
    const char *visible = window->visible ? "true" : "false";

    buf_printf(dump->text,
               "  Window #%d Window{%07x u0 %s}:\n"
               "    mDisplayId=0 mSession=Session{%07x %u:u0a1%u} "
               "mClient=android.os.BinderProxy@%07x\n"
               "    mOwnerUid=%u showForAllUsers=%s package=%s appop=NONE\n"
               "    mAttrs={(0,0)(fillxfill) sim={adjust=pan} ty=%s}\n"
               "    Requested w=%d h=%d mLayoutSeq=42\n"
               "    mBaseLayer=%d mSubLayer=0\n"
               "    mViewVisibility=0x%x mHaveFrame=true mObscured=false\n",
               number, dumpsys_number(window->name, 0), window->name,
               dumpsys_number(window->package, 1), window->pid, window->uid,
               dumpsys_number(window->name, 2), window->uid,
               window->layer > 100000 ? "true" : "false", window->package,
               window->type, box_width(window->frame),
               box_height(window->frame), window->layer,
               window->visible ? 0 : 8);
    buf_text(dump->text, "    mFullConfiguration=");
    display_configuration_print(&display, "undefined", dump->text);
    buf_printf(dump->text,
               "\n    mHasSurface=%s isReadyForDisplay()=%s "
               "mWindowRemovalAllowed=false\n",
               visible, visible);
    print_frames(dump, window, display_configuration_size(&display));
    buf_printf(dump->text, "    isOnScreen=%s\n    isVisible=%s\n", visible,
               visible);
}

/* Bars first, then the apps from front to back. */
static void print_windows(const struct dumpsys *dump)
{
    struct screen_display display = screen_display(dump->phone->screen);
    struct phone_size size = display_configuration_size(&display);
    struct task_info tasks[TASK_STACK_TASKS_MAX];
    size_t count =
        task_stack_tasks(dump->phone->task_stack, tasks, TASK_STACK_TASKS_MAX);
    int status = (int)(STATUS_BAR_HEIGHT * (float)display.density / 160);
    int navigation = (int)(NAVIGATION_HEIGHT * (float)display.density / 160);
    unsigned bars = processes_find(&dump->phone->handset->processes,
                                   "com.android.systemui");
    struct window window = {.package = "com.android.systemui",
                            .uid = SYSTEM_UI_UID,
                            .pid = bars,
                            .visible = true};

    buf_text(dump->text, "WINDOW MANAGER WINDOWS (dumpsys window windows)\n");
    window.name = "NavigationBar0";
    window.type = "NAVIGATION_BAR fmt=TRANSLUCENT";
    window.layer = 241000;
    window.frame =
        (struct box){0, size.height - navigation, size.width, size.height};
    print_window(dump, 0, &window);
    window.name = "StatusBar";
    window.type = "STATUS_BAR fmt=TRANSLUCENT";
    window.layer = 151000;
    window.frame = (struct box){0, 0, size.width, status};
    print_window(dump, 1, &window);
    for (size_t i = 0; i < count; i++) {
        char name[COMPONENT_TEXT_SIZE];

        window = (struct window){
            .name = component_long(&tasks[i].component, name),
            .package = tasks[i].component.package,
            .type = "BASE_APPLICATION wanim=0x10302f2",
            .uid = tasks[i].uid,
            .pid = tasks[i].pid,
            .layer = 21000,
            .visible = i == 0,
            .frame = {0, 0, size.width, size.height},
        };
        print_window(dump, (int)i + 2, &window);
    }
    buf_text(dump->text, "\n  mGlobalConfiguration=");
    display_configuration_print(&display, "undefined", dump->text);
    buf_text(dump->text, "\n  mHasPermanentDpad=false\n"
                         "  mTopFocusedDisplayId=0\n"
                         "  mInTouchMode=true\n");
}

/* ---- displays ---- */

static void print_display(const struct dumpsys *dump)
{
    struct screen_display display = screen_display(dump->phone->screen);
    struct phone_size size = display_configuration_size(&display);
    struct task_info front = task_stack_front(dump->phone->task_stack);
    bool same = display.size.width == display.physical.width &&
                display.size.height == display.physical.height &&
                display.density == display.physical_density;

    buf_printf(dump->text,
               "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n"
               "  Display: mDisplayId=0 (organized)\n"
               "    init=%dx%d %ddpi mMinSizeOfResizeableTaskDp=220",
               display.physical.width, display.physical.height,
               display.physical_density);
    if (!same)
        buf_printf(dump->text, " base=%dx%d %ddpi", display.size.width,
                   display.size.height, display.density);
    buf_printf(dump->text,
               " cur=%dx%d app=%dx%d rng=%dx%d-%dx%d\n"
               "    deferred=false mLayoutNeeded=false "
               "mTouchExcludeRegion=SkRegion((0,0,%d,%d))\n\n"
               "  mLayoutSeq=42\n",
               size.width, size.height, size.width, size.height,
               display.size.width, display.size.width, display.size.height,
               display.size.height, size.width, size.height);
    buf_text(dump->text, "  mCurrentFocus=");
    if (task_stack_is_asleep(dump->phone->task_stack))
        buf_text(dump->text, "null");
    else if (dump->phone->shade &&
             notification_shade_state(dump->phone->shade) != SHADE_CLOSED)
        buf_text(dump->text, "Window{7c1f00d u0 NotificationShade}");
    else
        dumpsys_window_of(dump, &front);
    buf_text(dump->text, "\n  mFocusedApp=");
    dumpsys_activity_record(dump, &front);
    buf_printf(dump->text,
               "\n\n  displayId=0\n"
               "  DisplayFrames w=%d h=%d r=%d\n"
               "  DisplayRotation\n"
               "    mCurrentAppOrientation=SCREEN_ORIENTATION_UNSPECIFIED\n"
               "    mLastOrientation=-1\n"
               "    mRotation=%d mDeferredRotationPauseCount=0\n"
               "    mUserRotationMode=%s mUserRotation=ROTATION_%d\n",
               size.width, size.height, display.rotation, display.rotation,
               display.rotation ? "USER_ROTATION_LOCKED" : "USER_ROTATION_FREE",
               display.rotation * 90);
}

/* ---- policy ---- */

static void print_policy(const struct dumpsys *dump)
{
    bool asleep = task_stack_is_asleep(dump->phone->task_stack);

    buf_printf(dump->text,
               "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n"
               "    mSafeMode=false mSystemReady=true mSystemBooted=true\n"
               "    mAwake=%s mScreenOnEarly=%s mScreenOnFully=%s\n"
               "    mShowingLockscreen=false mDreamingLockscreen=false "
               "isStatusBarKeyguard=false\n"
               "    KeyguardServiceDelegate\n"
               "      showing=false\n"
               "      inputRestricted=false\n"
               "      occluded=false\n"
               "      secure=false\n"
               "      deviceHasKeyguard=true\n"
               "      screenState=SCREEN_STATE_%s\n"
               "      interactiveState=INTERACTIVE_STATE_%s\n",
               asleep ? "false" : "true", asleep ? "false" : "true",
               asleep ? "false" : "true", asleep ? "OFF" : "ON",
               asleep ? "SLEEP" : "AWAKE");
}

void dumpsys_window(struct dumpsys *dump)
{
    if (dumpsys_wants(dump, "policy") || dumpsys_wants(dump, "p"))
        print_policy(dump);
    if (dumpsys_wants(dump, "displays") || dumpsys_wants(dump, "d"))
        print_display(dump);
    if (dumpsys_wants(dump, "windows") || dumpsys_wants(dump, "w") ||
        dumpsys_wants(dump, "-a") || dumpsys_wants(dump, "visible"))
        print_windows(dump);
}

/* ---- the display manager ---- */

/* With the name first. */
static void print_info(const struct dumpsys *dump, const char *name,
                       const struct screen_display *display,
                       struct phone_size size)
{
    const char *state =
        task_stack_is_asleep(dump->phone->task_stack) ? "OFF" : "ON";

    buf_printf(dump->text,
               "%sDisplayInfo{\"Built-in Screen\", displayId 0\", "
               "displayGroupId 0, FLAG_SECURE, FLAG_SUPPORTS_PROTECTED_BUFFERS,"
               " FLAG_TRUSTED, real %d x %d, largest app %d x %d, smallest app "
               "%d x %d, appVsyncOff 1000000, presDeadline 16666666, mode 1, "
               "defaultMode 1, modes [{id=1, width=%d, height=%d, fps=60.0, "
               "alternativeRefreshRates=[]}], rotation %d, state %s, type "
               "INTERNAL, uniqueId \"local:4619827259835644672\", app %d x %d, "
               "density %d (%d.0 x %d.0) dpi, layerStack 0, colorMode 0, "
               "supportedColorModes [0], address {port=0, "
               "model=0x401cec6a7a2b7b}, deviceProductInfo null, removeMode 0, "
               "refreshRateOverride 0.0, brightnessMinimum 0.0, "
               "brightnessMaximum 1.0, brightnessDefault 0.4, "
               "installOrientation ROTATION_0}\n",
               name, size.width, size.height, size.width, size.height,
               size.width, size.height, display->physical.width,
               display->physical.height, display->rotation, state, size.width,
               size.height, display->density, display->physical_density,
               display->physical_density);
}

void dumpsys_display(struct dumpsys *dump)
{
    struct screen_display display = screen_display(dump->phone->screen);
    struct screen_display base = display;
    struct phone_size size = display_configuration_size(&display);

    base.density = display.physical_density;
    base.rotation = 0;
    buf_printf(dump->text,
               "DISPLAY MANAGER (dumpsys display)\n"
               "  mSafeMode=false\n"
               "  mPendingTraversal=false\n"
               "  mViewports=[DisplayViewport{type=INTERNAL, valid=true, "
               "isActive=true, displayId=0, "
               "uniqueId='local:4619827259835644672', physicalPort=0, "
               "orientation=%d, logicalFrame=Rect(0, 0 - %d, %d), "
               "physicalFrame=Rect(0, 0 - %d, %d), deviceWidth=%d, "
               "deviceHeight=%d}]\n"
               "  mStableDisplaySize=Point(%d, %d)\n\n"
               "Display States: size=1\n"
               "  Display Id=0\n"
               "  Display State=%s\n"
               "  Display Brightness=0.4\n\n"
               "Logical Displays: size=1\n"
               "  Display 0:\n"
               "    mDisplayId=0\n"
               "    mIsEnabled=true\n"
               "    mLayerStack=0\n"
               "    mPrimaryDisplayDevice=Built-in Screen\n",
               display.rotation, size.width, size.height, size.width,
               size.height, size.width, size.height, display.physical.width,
               display.physical.height,
               task_stack_is_asleep(dump->phone->task_stack) ? "OFF" : "ON");
    print_info(dump, "    mBaseDisplayInfo=", &base, display.physical);
    print_info(dump, "    mOverrideDisplayInfo=", &display, size);
    buf_printf(dump->text,
               "\nDisplay Power Controller:\n"
               "  mDisplayId=0\n"
               "  mScreenOffBecauseOfProximity=false\n\n"
               "Display Power State:\n"
               "  mStopped=false\n"
               "  mScreenState=%s\n"
               "  mScreenBrightness=0.4\n"
               "  mScreenReady=true\n"
               "  mScreenUpdatePending=false\n",
               task_stack_is_asleep(dump->phone->task_stack) ? "OFF" : "ON");
}

void dumpsys_displays(struct dumpsys *dump)
{
    struct screen_display display = screen_display(dump->phone->screen);

    buf_text(dump->text, "Displays:\n");
    print_info(dump, "Display id 0: ", &display,
               display_configuration_size(&display));
}
